// The note of a link: on the server, or without a network in the copy of this browser. A link has at most one.

import { restRequest } from '../../shared/api/session.js';
import { t } from '../../shared/locale/translate.js';
import { change, changeLater } from '../../shared/offline/changes.js';
import { fetchPart } from '../../shared/offline/offline-articles.js';
import { keepArticle } from '../../shared/offline/offline-copies.js';
import { waitingChanges } from '../../shared/offline/waiting-changes.js';

/** The key of the change of a note that waits to be sent. */
export const NOTE_KEY = 'note';

/**
 * Returns the text of the note, also if it waits to be sent; empty if there is none.
 * @param {string} linkId
 * @returns {Promise<string>}
 */
export async function fetchNote(linkId) {
  const isOfNote = ({ linkId: id, key, failure }) => id === linkId && key === NOTE_KEY && !failure;
  const waiting = (await waitingChanges()).findLast(isOfNote);
  if (waiting) return waiting.request.body.body;
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
  const made = noteChange(linkId, body);
  if (keepalive) {
    const { path, prefer, ...options } = made.request;
    await restRequest(path, { ...options, headers: { Prefer: prefer }, keepalive });
  } else {
    await change(made);
  }
  keepArticle({ id: linkId, note: body }).catch(() => {});
}

/**
 * Keeps the text of the note until it can be sent.
 * @param {string} linkId
 * @param {string} body
 */
export async function storeNoteLater(linkId, body) {
  await changeLater(noteChange(linkId, body));
}

function noteChange(linkId, body) {
  const request = {
    path: 'notes?on_conflict=link_id,user_id&select=id',
    method: 'POST',
    body: { link_id: linkId, body },
    prefer: 'return=representation,resolution=merge-duplicates',
  };
  return { kind: 'request', linkId, key: NOTE_KEY, label: t('Note'), request };
}
