// What the page says once a link is saved. This module does not use the DOM.

import { formatRelativeTime } from '../shared/format/dates.js';

/**
 * @param {import('../shared/links/link-text.js').Link} link
 * @param {{isNew: boolean}} options
 * @returns {string}
 */
export function resultText(link, { isNew }) {
  if (link.state === 'waiting') return 'Saved on this device. It is sent as soon as the server can be reached.';
  return isNew ? 'Saved.' : `Already saved ${formatRelativeTime(link.created_at)}. Moved to the top of the list.`;
}
