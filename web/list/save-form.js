// The form that saves a link.

import { formatRelativeTime } from '../shared/format/dates.js';
import { onSubmit } from '../shared/forms/form.js';
import { saveLink } from '../shared/offline/offline-links.js';
import { showToast } from '../shared/ui/toast.js';

/**
 * Sets up the form.
 * @param {HTMLFormElement} form with the field `url`
 * @param {(link: import('../shared/links/link-text.js').Link) => void} onSaved
 */
export function setUpSaveForm(form, onSaved) {
  onSubmit(form, async (values) => {
    const url = parseURL(values.url.trim());
    const link = await saveLink(url);
    const isKnown = link.state === 'ready' || link.raw_url !== url;
    const saved = formatRelativeTime(link.created_at);
    if (link.state === 'waiting') showToast('Saved on this device.');
    else showToast(isKnown ? `Already saved ${saved}. Moved to the top of the list.` : 'Saved.');
    onSaved(link);
  });
}

/**
 * Returns the http or https URL that a text means; a text without a scheme gets `https://`.
 * @param {string} text
 * @returns {string}
 * @throws {Error} with a message for the user
 */
function parseURL(text) {
  // A colon before digits separates host and port: `localhost:8080` has no scheme.
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text);
  const url = hasScheme ? text : `https://${text}`;
  if (!/^https?:\/\/[^\s/?#]+([/?#]|$)/i.test(url) || !URL.canParse(url)) {
    throw Error('This is not a web address. Web addresses start with https://');
  }
  return url;
}
