// Requests for the note of a link. A link has at most one.

import { restRequest } from '../../shared/api/session.js';

/**
 * Returns the text of the note; empty if there is none.
 * @param {string} linkId
 * @returns {Promise<string>}
 */
export async function fetchNote(linkId) {
  const [row] = await restRequest(`notes?link_id=eq.${linkId}&select=body`);
  return row?.body ?? '';
}

/**
 * Stores the text of the note.
 * @param {string} linkId
 * @param {string} body
 * @param {{keepalive?: boolean}} [options] `keepalive`: the page is being left
 */
export async function storeNote(linkId, body, { keepalive } = {}) {
  await restRequest('notes?on_conflict=link_id,user_id&select=id', {
    method: 'POST',
    body: { link_id: linkId, body },
    headers: { Prefer: 'return=representation,resolution=merge-duplicates' },
    keepalive,
  });
}
