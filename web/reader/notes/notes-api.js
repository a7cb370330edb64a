// The note of a link: on the server, or without a network in the copy of this browser. A link has at most one.

import { restRequest } from '../../shared/api/session.js';
import { t } from '../../shared/locale/translate.js';
import { change } from '../../shared/offline/changes.js';
import { keepArticle } from '../../shared/offline/copies.js';
import { fetchPart } from '../../shared/offline/offline-links.js';

/** The key of the change of a note that waits to be sent. */
export const NOTE_KEY = 'note';

/**
 * Returns the text of the note; empty if there is none.
 * @param {string} linkId
 * @returns {Promise<string>}
 */
export function fetchNote(linkId) {
  return fetchPart(linkId, 'note', async () => {
    const [row] = await restRequest(`notes?link_id=eq.${linkId}&select=body`);
    return row?.body ?? '';
  });
}

/**
 * Stores the text of the note.
 * @param {string} linkId
 * @param {string} body
 * @param {{keepalive?: boolean}} [options] `keepalive`: the page is being left
 */
export async function storeNote(linkId, body, { keepalive } = {}) {
  const request = {
    path: 'notes?on_conflict=link_id,user_id&select=id',
    method: 'POST',
    body: { link_id: linkId, body },
    prefer: 'return=representation,resolution=merge-duplicates',
  };
  if (keepalive) {
    const { path, prefer, ...options } = request;
    await restRequest(path, { ...options, headers: { Prefer: prefer }, keepalive });
  } else {
    await change({ kind: 'request', linkId, key: NOTE_KEY, label: t('Note'), request });
  }
  keepArticle({ id: linkId, note: body }).catch(() => {});
}
