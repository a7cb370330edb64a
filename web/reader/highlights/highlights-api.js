// Requests for the highlights of a link.

import { restRequest } from '../../shared/api/session.js';

const COLUMNS = 'id,link_id,quote,prefix,suffix,start_offset,end_offset,note,color,created_at,orphaned_at';
const SELECT = `select=${COLUMNS}`;

/** The largest number of highlights that a link may have. */
const LIMIT = 5000;

/** @typedef {import('./highlight-places.js').Highlight} Highlight */

/**
 * Fetches the highlights of a link, in the order of the text.
 * @param {string} linkId
 * @returns {Promise<Highlight[]>}
 */
export function fetchHighlights(linkId) {
  return restRequest(`highlights?link_id=eq.${linkId}&${SELECT}&order=start_offset,id&limit=${LIMIT}`);
}

/**
 * Stores a highlight.
 * @param {Partial<Highlight> & {link_id: string}} highlight
 * @returns {Promise<Highlight>} as stored
 */
export async function insertHighlight(highlight) {
  const [row] = await restRequest(`highlights?${SELECT}`, { method: 'POST', body: highlight });
  return row;
}

/**
 * Changes columns of a highlight.
 * @param {string} id
 * @param {Partial<Highlight>} changes
 * @returns {Promise<Highlight>} as stored
 * @throws if another device has deleted the highlight
 */
export async function updateHighlight(id, changes) {
  const [row] = await restRequest(`highlights?id=eq.${id}&${SELECT}`, { method: 'PATCH', body: changes });
  if (!row) throw Error('This highlight no longer exists.');
  return row;
}

/**
 * Deletes a highlight.
 * @param {string} id
 */
export async function deleteHighlight(id) {
  await restRequest(`highlights?id=eq.${id}`, { method: 'DELETE' });
}
