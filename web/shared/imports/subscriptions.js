// Files with subscriptions (OPML).

import { restRequest } from '../api/session.js';
import { t } from '../locale/translate.js';

/** What the server reads of a file, in characters, and as many bytes as these may take. */
const MAX_LENGTH = 2_000_000;
const MAX_BYTES = 4 * MAX_LENGTH;

/**
 * @param {File} file an OPML file
 * @returns {Promise<string | null>} its text if the server can subscribe to feeds in it
 */
export async function feedsIn(file) {
  if (file.size > MAX_BYTES) return null;
  const text = await file.text();
  return text.length <= MAX_LENGTH && /<outline\s[^>]*\bxmlUrl\s*=/.test(text) ? text : null;
}

/**
 * Subscribes to the feeds of a file.
 * @param {string} opml
 * @returns {Promise<string[]>} sentences that say how many feeds were added
 */
export async function subscribeToAll(opml) {
  const { found, known, added, refused = 0 } = await restRequest('rpc/import_feeds', { method: 'POST', body: { opml } });
  const rest = found - known - added - refused;
  return [
    t('{n} feed added.|{n} feeds added.', { n: added }), known > 0 && t('You already had {n} of them.', { n: known }),
    refused > 0 && t('{n} not added: you have as many feeds as are allowed.', { n: refused }),
    rest > 0 && t('{n} could not be added.', { n: rest }),
  ].filter(Boolean);
}
