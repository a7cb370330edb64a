// Copies of links and articles in this browser, for reading without a network.

import { transactOwn } from './own-database.js';

/** @typedef {import('../links/link-text.js').Link} Link */

/**
 * The copy of an article.
 * @typedef {object} ArticleCopy
 * @property {string} id of the link
 * @property {object | null} article the row of `articles`; null if the link has none
 * @property {object[]} pictures rows of `link_pictures`
 * @property {number} openedAt milliseconds since the epoch; 0 if the user has not opened it here
 */

/**
 * Keeps links, or updates the copies with the fields given.
 * @param {Link[]} links with their ids
 */
export function keepLinks(links) {
  return transactOwn('links', 'readwrite', (store) => {
    for (const { snippet, rank, ...link } of links) merge(store, link);
  });
}

/**
 * Updates the copies of links, such as with what cards show. Links without a copy are left out.
 * @param {Partial<Link>[]} fields with the ids
 */
export function updateCopies(fields) {
  return transactOwn('links', 'readwrite', (store) => {
    for (const each of fields) merge(store, each, { isUpdate: true });
  });
}

/**
 * Returns one page of a list, most recently updated first.
 * @param {'read' | 'archive'} list
 * @param {number} limit
 * @param {Link} [after] the last link of the previous page
 * @returns {Promise<Link[]>}
 */
export async function copiedLinks(list, limit, after) {
  // In the order of keys, an array comes after all texts.
  const end = after ? [list, after.updated_at, after.id] : [list, []];
  const found = [];
  await transactOwn('links', 'readonly', (store) => {
    const request = store.index('order').openCursor(IDBKeyRange.bound([list], end, false, true), 'prev');
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor || found.length === limit) return;
      found.push(cursor.value);
      cursor.continue();
    };
  });
  return found;
}

/** @returns {Promise<Link[]>} the copies of all links */
export function allCopiedLinks() {
  return transactOwn('links', 'readonly', (store) => store.getAll());
}

/**
 * @param {string} id
 * @returns {Promise<Link | undefined>}
 */
export function copiedLink(id) {
  return transactOwn('links', 'readonly', (store) => store.get(id));
}

/**
 * Keeps an article, or updates its copy with the fields given.
 * @param {Partial<ArticleCopy>} copy with the id of the link
 */
export function keepArticle(copy) {
  const defaults = { pictures: [], openedAt: 0 };
  return transactOwn('articles', 'readwrite', (store) => merge(store, copy, { defaults }));
}

/**
 * @param {string} id of the link
 * @returns {Promise<ArticleCopy | undefined>}
 */
export function copiedArticle(id) {
  return transactOwn('articles', 'readonly', (store) => store.get(id));
}

/** @returns {Promise<ArticleCopy[]>} the copies of all articles */
export function allCopiedArticles() {
  return transactOwn('articles', 'readonly', (store) => store.getAll());
}

/**
 * Removes the copies of links and of their articles.
 * @param {string[]} ids
 */
export function removeCopies(ids) {
  return transactOwn(['links', 'articles'], 'readwrite', (links, articles) => {
    for (const id of ids) {
      links.delete(id);
      articles.delete(id);
    }
  });
}

/**
 * Removes the copies of articles; those of the links stay.
 * @param {string[]} ids of the links
 */
export function removeArticles(ids) {
  return transactOwn('articles', 'readwrite', (store) => {
    for (const id of ids) store.delete(id);
  });
}

function merge(store, fields, { isUpdate = false, defaults } = {}) {
  const request = store.get(fields.id);
  request.onsuccess = () => {
    if (request.result || !isUpdate) store.put({ ...defaults, ...request.result, ...fields });
  };
}
