// What is said once a link is saved. This module does not use the DOM.

import { formatRelativeTime } from '../format/dates.js';
import { t } from '../locale/translate.js';

/**
 * Returns whether the link is a new one: saving the page again changes only `updated_at`.
 * @param {import('./link-text.js').Link} link that was just saved
 * @returns {boolean}
 */
export function isNewLink({ state, created_at, updated_at }) {
  return state === 'waiting' || created_at === updated_at;
}

/**
 * @param {import('./link-text.js').Link} link that was just saved
 * @returns {string}
 */
export function savedText(link) {
  if (link.state === 'waiting') return t('Saved on this device. It is sent when the server can be reached.');
  if (isNewLink(link)) return t('Saved.');
  return t('Already saved {time}. Moved to the top of the list.', { time: formatRelativeTime(link.created_at) });
}
