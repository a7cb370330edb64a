// Pages of a list, one after the other.

import { PAGE_SIZE } from '../shared/links/link-requests.js';
import { fetchLinks, searchLinks } from '../shared/offline/offline-links.js';

/**
 * A list, and how far it is loaded. It has a name, or the query of a search.
 * @typedef {object} Selection
 * @property {'read' | 'archive'} [name]
 * @property {string} [query]
 * @property {boolean} [hasMore]
 * @property {boolean} [isLoading]
 * @property {Set<import('../shared/links/link-text.js').Link>} [waiting] links that are to be added to the rows
 * @property {import('../shared/links/link-text.js').Link} [last] of a named list
 * @property {string} [next] the cursor of a search
 * @property {number} [scrollY]
 */

/**
 * Fetches the next page and notes in the selection where the page after it begins.
 * @param {Selection} selection
 * @returns {Promise<import('../shared/links/link-text.js').Link[]>}
 */
export async function fetchNextPage(selection) {
  if (selection.query) {
    const { links, next } = await searchLinks(selection.query, PAGE_SIZE, selection.next);
    Object.assign(selection, { hasMore: next !== null, next });
    return links;
  }
  const links = await fetchLinks(selection.name, PAGE_SIZE, selection.last);
  // A copy, as the stored link changes when the user changes it.
  Object.assign(selection, { hasMore: links.length === PAGE_SIZE, last: { ...links.at(-1) } });
  return links;
}
