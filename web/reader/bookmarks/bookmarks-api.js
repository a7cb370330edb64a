// The bookmarks of a link: on the server, or without a network in the copies of this browser.

import { restRequest } from '../../shared/api/session.js';
import { t } from '../../shared/locale/translate.js';
import { change } from '../../shared/offline/changes.js';
import { fetchPart } from '../../shared/offline/offline-articles.js';
import { keepArticle } from '../../shared/offline/offline-copies.js';
import { randomId } from '../../shared/offline/offline-links.js';
import { failure } from '../../shared/ui/messages.js';
import { READING_MESSAGES } from '../reading-messages.js';

const SELECT = 'select=id,link_id,name,quote,start_offset';

/** More bookmarks of a link are not shown. */
const LIMIT = 500;

/**
 * A row of the relation `bookmarks`.
 * @typedef {object} Bookmark
 * @property {string} id
 * @property {string} link_id
 * @property {string} name
 * @property {string} quote the text that begins at the place
 * @property {number | null} start_offset in the article's `text_content`, in UTF-16 units
 */

/**
 * Fetches the bookmarks of a link, in the order of the text.
 * @param {string} linkId
 * @returns {Promise<Bookmark[]>}
 */
export function fetchBookmarks(linkId) {
  const path = `bookmarks?link_id=eq.${linkId}&${SELECT}&order=start_offset,id&limit=${LIMIT}`;
  return fetchPart(linkId, 'bookmarks', () => restRequest(path));
}

/**
 * Keeps the bookmarks of a link in this browser, as they are after a change.
 * @param {string} linkId
 * @param {Bookmark[]} bookmarks
 */
export function keepBookmarks(linkId, bookmarks) {
  // A browser that stores nothing shows them all the same.
  keepArticle({ id: linkId, bookmarks }).catch(() => {});
}

/**
 * Stores a bookmark.
 * @param {Omit<Bookmark, 'id'> & {id?: string}} bookmark
 * @returns {Promise<Bookmark>} as stored
 */
export async function insertBookmark(bookmark) {
  const row = { id: randomId(), ...bookmark };
  const stored = await send(row, t('Bookmark'), { path: `bookmarks?${SELECT}`, method: 'POST', body: row });
  return stored?.[0] ?? row;
}

/**
 * Gives a bookmark another name.
 * @param {Bookmark} row
 * @param {string} name
 * @returns {Promise<Bookmark>} as stored
 * @throws if another device has deleted the bookmark
 */
export async function renameBookmark(row, name) {
  const path = `bookmarks?id=eq.${row.id}&${SELECT}`;
  const stored = await send(row, t('Rename a bookmark'), { path, method: 'PATCH', body: { name } });
  if (stored && !stored[0]) throw failure(READING_MESSAGES.bookmarkGone);
  return stored?.[0] ?? { ...row, name };
}

/**
 * Deletes a bookmark.
 * @param {Bookmark} row
 */
export async function deleteBookmark(row) {
  await send(row, t('Delete a bookmark'), { path: `bookmarks?id=eq.${row.id}`, method: 'DELETE' });
}

// Returns the rows of the answer, or null if the request waits for the network.
function send(row, label, request) {
  const key = ['bookmark', row.id, request.method].join(' ');
  return change({ kind: 'request', linkId: row.link_id, key, label, request });
}
