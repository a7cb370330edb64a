// Requests for reading progress.

import { request } from '../../shared/api/client.js';
import { isOffline } from '../../shared/api/connection.js';
import { currentSession, freshToken, restRequest } from '../../shared/api/session.js';
import { change } from '../../shared/offline/changes.js';
import { forgetUnsentProgress, keepUnsentProgress } from '../../shared/offline/unsent-progress.js';
import { fetchPart } from '../../shared/offline/offline-articles.js';
import { keepArticle } from '../../shared/offline/offline-copies.js';

const COLUMNS = 'content_hash,last_read_character_index,percentage_complete';

/**
 * Fetches the newest progress of a link, from whichever app it comes.
 * @param {string} linkId
 * @returns {Promise<object | undefined>}
 */
export async function fetchProgress(linkId) {
  const query = `link_id=eq.${linkId}&select=${COLUMNS}&order=last_updated.desc&limit=1`;
  const fetch = async () => (await restRequest(`reading_progress?${query}`))[0];
  return fetchPart(linkId, 'progress', fetch).catch(() => undefined);
}

/**
 * Saves progress, and fires `progress-saved`. A failure is not reported: the next position is saved soon.
 * @param {object} row
 * @param {{isLeaving?: boolean}} [options] while the page is being left, there is no time to renew the session
 */
export async function saveProgress(row, { isLeaving = false } = {}) {
  const path = '/rest/v1/reading_progress?on_conflict=user_id,content_hash';
  const kept = isLeaving ? keepUnsentProgress(row) : null;
  keepArticle({ id: row.link_id, progress: row }).catch(() => {});
  try {
    if (isOffline()) throw Error('Offline.');
    const token = isLeaving ? currentSession()?.access : await freshToken();
    await request(path, {
      method: 'POST',
      body: row,
      token,
      keepalive: true,
      headers: { Prefer: 'resolution=merge-duplicates,return=minimal' },
    });
    forgetUnsentProgress(kept);
    dispatchEvent(new Event('progress-saved'));
  } catch {
    if (isOffline()) await change({ kind: 'progress', linkId: row.link_id, row }).catch(() => {});
  }
}

/**
 * Returns the hash by which progress in a text is stored.
 * @param {string} text
 * @param {string} linkId
 * @returns {Promise<string>} the SHA-256 of the text in hexadecimal digits
 */
export async function hashOfText(text, linkId) {
  // Browsers have this function only on pages from HTTPS or from the machine itself.
  if (!crypto.subtle) return `link:${linkId}:${text.length}`;
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
