// The highlights of a link: on the server, or without a network in the copies of this browser.

import { restRequest } from '../../shared/api/session.js';
import { t } from '../../shared/locale/translate.js';
import { change } from '../../shared/offline/changes.js';
import { fetchPart } from '../../shared/offline/offline-articles.js';
import { keepArticle } from '../../shared/offline/offline-copies.js';
import { randomId } from '../../shared/offline/offline-links.js';
import { failure } from '../../shared/ui/messages.js';
import { READING_MESSAGES } from '../reading-messages.js';

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
  const path = `highlights?link_id=eq.${linkId}&${SELECT}&order=start_offset,id&limit=${LIMIT}`;
  return fetchPart(linkId, 'highlights', () => restRequest(path));
}

/**
 * Keeps the highlights of a link in this browser, as they are after a change.
 * @param {string} linkId
 * @param {Highlight[]} highlights
 */
export function keepHighlights(linkId, highlights) {
  // A browser that stores nothing shows them all the same.
  keepArticle({ id: linkId, highlights }).catch(() => {});
}

/**
 * Stores a highlight.
 * @param {Partial<Highlight> & {link_id: string}} highlight
 * @returns {Promise<Highlight>} as stored
 */
export async function insertHighlight(highlight) {
  const row = { id: randomId(), ...highlight };
  const stored = await send(row, t('Highlight'), { path: `highlights?${SELECT}`, method: 'POST', body: row });
  return stored?.[0] ?? row;
}

/**
 * Changes columns of a highlight.
 * @param {Highlight} row
 * @param {Partial<Highlight>} changes
 * @returns {Promise<Highlight>} as stored
 * @throws if another device has deleted the highlight
 */
export async function updateHighlight(row, changes) {
  const path = `highlights?id=eq.${row.id}&${SELECT}`;
  const stored = await send(row, t('Change a highlight'), { path, method: 'PATCH', body: changes });
  if (stored && !stored[0]) throw failure(READING_MESSAGES.highlightGone);
  return stored?.[0] ?? { ...row, ...changes };
}

/**
 * Deletes a highlight.
 * @param {Highlight} row
 */
export async function deleteHighlight(row) {
  await send(row, t('Delete a highlight'), { path: `highlights?id=eq.${row.id}`, method: 'DELETE' });
}

// Returns the rows of the answer, or null if the request waits for the network.
async function send(row, label, request) {
  const columns = request.method === 'PATCH' ? Object.keys(request.body) : [];
  const key = ['highlight', row.id, request.method, ...columns].join(' ');
  return change({ kind: 'request', linkId: row.link_id, key, label, request });
}
