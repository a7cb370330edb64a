// What is said once a link is saved. This module does not use the DOM.

import { formatRelativeTime } from '../format/dates.js';
import { isNewLink } from './link-text.js';

/**
 * @param {import('./link-text.js').Link} link that was just saved
 * @returns {string}
 */
export function savedText(link) {
  if (link.state === 'waiting') return 'Saved on this device. It is sent when the server can be reached.';
  return isNewLink(link)
    ? 'Saved.' : `Already saved ${formatRelativeTime(link.created_at)}. Moved to the top of the list.`;
}
