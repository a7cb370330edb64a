// The folders of the browser's bookmarks. This module does not use the DOM.

import { t } from './words.js';

/**
 * @typedef {object} Folder
 * @property {string} id
 * @property {string} name
 * @property {string} path with the names of the folders around it
 * @property {{url: string, title: string, dateAdded?: number}[]} bookmarks those directly in it
 */

/**
 * Returns the folders of a tree that hold bookmarks, in order.
 * @param {object[]} nodes as `chrome.bookmarks.getTree` returns them
 * @param {string[]} [around] names of the folders around them
 * @returns {Folder[]}
 */
export function parseFolders(nodes, around = []) {
  return nodes.filter(({ children }) => children).flatMap(({ id, title, children }) => {
    const names = title ? [...around, title] : around;
    const bookmarks = children.filter(({ url }) => url);
    const folder = { id, name: names.at(-1) ?? t('Bookmarks'), path: names.join(' / '), bookmarks };
    return [...(bookmarks.length ? [folder] : []), ...parseFolders(children, names)];
  });
}
