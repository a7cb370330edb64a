// Reading and changing links with or without a network. What is read is kept; without a network, the copies are
// read. Changes are sent at once, or kept until they can be sent.

import { isOffline } from '../api/connection.js';
import * as server from '../links/links-api.js';
import { painted } from '../ui/painted.js';
import { allCopiedLinks, copiedLinks, keepLinks, removeCopies } from './offline-copies.js';

/** @typedef {import('../links/link-text.js').Link} Link */

/** Whether this page shows something that came from the copies. */
let hasUsedCopies = false;

/** @returns {boolean} whether something was read from the copies since the last call */
export function takeHasUsedCopies() {
  const result = hasUsedCopies;
  hasUsedCopies = false;
  return result;
}

/**
 * Returns one page of a list; see `links-api.js`.
 * @param {'read' | 'archive'} list
 * @param {number} limit
 * @param {Link} [after]
 * @returns {Promise<Link[]>}
 */
export function fetchLinks(list, limit, after) {
  return serverOrCopy({
    fetch: () => server.fetchLinks(list, limit, after),
    keep: keepLinks,
    copy: () => copiedLinks(list, limit, after),
    isUsable: (links) => after || links.length > 0,
  });
}

/**
 * Returns one page of the links that a search finds; see `links-api.js`. Without a network, only some searches are
 * possible, among the copies.
 * @param {string} query
 * @param {number} limit
 * @param {string} [cursor]
 * @returns {Promise<{links: Link[], next: string | null}>}
 */
export function searchLinks(query, limit, cursor) {
  return serverOrCopy({
    fetch: () => server.searchLinks(query, limit, cursor),
    keep: () => {},
    copy: async () => {
      const { searchCopies } = await import('./search-copies.js');
      return { links: searchCopies(await allCopiedLinks(), query), next: null };
    },
  });
}

async function change(made) {
  const changes = await import('./changes.js');
  return changes.change(made);
}

/**
 * Saves a URL; see `links-api.js`.
 * @param {string} url
 * @returns {Promise<Link>} a link in state `waiting` if it could not be sent
 */
export function saveLink(url) {
  return change({ kind: 'save', linkId: randomId(), url });
}

/**
 * Changes columns of one link; see `links-api.js`.
 * @param {string} id
 * @param {object} changes
 * @returns {Promise<Link | undefined>}
 */
export function updateLink(id, changes) {
  return change({ kind: 'update', linkId: id, changes });
}

/**
 * Deletes one link.
 * @param {string} id
 */
export async function deleteLink(id) {
  await change({ kind: 'delete', linkId: id });
  await removeCopies([id]).catch(() => {});
}

/**
 * Reads from the server, or from the copies if it cannot be reached.
 * @template T
 * @param {object} source
 * @param {() => Promise<T>} source.fetch
 * @param {(result: T) => any} source.keep keeps what was fetched
 * @param {() => Promise<T>} source.copy
 * @param {(copy: T) => boolean} [source.isUsable] whether the copy has anything; if not, the failure is reported
 * @returns {Promise<T>}
 */
export async function serverOrCopy({ fetch, keep, copy, isUsable = () => true }) {
  const readCopy = async () => {
    const result = await copy();
    if (!isUsable(result)) throw Error('There is no copy.');
    hasUsedCopies = true;
    return result;
  };
  try {
    if (isOffline()) return await readCopy();
  } catch (error) {
    if (error.isFinal) throw error;
    // The connection may be back.
  }
  try {
    const result = await fetch();
    // It is shown first. A browser that stores nothing shows the pages all the same.
    painted().then(() => keep(result)).catch(() => {});
    return result;
  } catch (error) {
    if (error.status) throw error;
    return readCopy().catch((noCopy) => {
      throw noCopy.isFinal ? noCopy : error;
    });
  }
}

/**
 * Returns a random id for a new row. `crypto.randomUUID` is missing on pages without HTTPS.
 * @returns {string}
 */
export function randomId() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
