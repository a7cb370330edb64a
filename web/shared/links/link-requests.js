// The requests for links: their paths below `/rest/v1/`, and those that are sent before the modules of the page are
// there.

import { serverURL } from '../api/server.js';

const COLUMNS = 'id,raw_url,resolved_url,title,title_is_text,description,description_is_text,list,status,'
  + 'is_starred,created_at,updated_at,state,reason,reason_message,word_count,reading_time,site_name';

/** What requests for links select. */
export const SELECT = `select=${COLUMNS}`;

/** What belongs to a link and is shown on its card, as requests for links embed it. */
export const DETAILS = 'link_pictures(kind,state,pictures(address)),tags(id,name),highlights(count),'
  + 'reading_progress(percentage_complete)';

/** Links in one request for a list. */
export const PAGE_SIZE = 50;

/** A session is renewed this long before its access token expires. The first view does without `session.js`. */
export const RENEWAL_MARGIN_MS = 60_000;

/** Where the server's public key is kept while somebody is signed in. */
export const KEY_STORAGE = 'public-key';

/** A response that nobody has asked for by then is out of date. */
const EARLY_MS = 10_000;

/** Path → when it was sent, and the promise of the response. */
const early = new Map();

/**
 * @typedef {object} LinkDetails
 * @property {{preview?: string, icon?: string}} pictures URLs on the server: the preview of the page, and the
 *   icon of its site
 * @property {string[]} tags names in alphabetical order
 * @property {Record<string, string>} tagIds by name
 * @property {number} highlightCount
 * @property {number} progress the fraction that has been read, 0 to 1
 */

/**
 * The path of one page of a list, most recently updated first.
 * @param {'read' | 'archive'} list
 * @param {number} limit
 * @param {import('./link-text.js').Link} [after] the last link of the previous page
 * @returns {string}
 */
export function listPath(list, limit, after) {
  const order = `order=updated_at.desc.nullslast,id.desc&limit=${limit}`;
  return `links?${SELECT},${DETAILS}&list=eq.${list}&${order}${after ? `&or=${olderThan(after)}` : ''}`;
}

/**
 * @param {string} id
 * @returns {string} the path of one link
 */
export function linkPath(id) {
  return `links?${SELECT}&id=eq.${id}`;
}

/**
 * @param {string} id
 * @returns {string} the path of one link with its article. Of two requests, one could be answered before the article is
 *   replaced and the other one afterwards.
 */
export function articlePath(id) {
  return `links?${SELECT},articles(*)&id=eq.${id}`;
}

/**
 * Returns a link with its details, as cards show it.
 * @param {object} row of the response to a request that embeds the details
 * @returns {import('./link-text.js').Link & LinkDetails}
 */
export function linkWithDetails({ link_pictures, tags, highlights, reading_progress, ...link }) {
  const kept = link_pictures.filter(({ state, pictures }) => state === 'kept' && pictures);
  return {
    ...link,
    pictures: Object.fromEntries(kept.map(({ kind, pictures }) => [kind, serverURL(`/pictures/${pictures.address}`)])),
    tags: tags.map(({ name }) => name).sort((a, b) => a.localeCompare(b)),
    tagIds: Object.fromEntries(tags.map(({ id, name }) => [name, id])),
    highlightCount: highlights[0]?.count ?? 0,
    progress: Math.max(0, ...reading_progress.map(({ percentage_complete }) => percentage_complete)),
  };
}

/**
 * Sends requests whose responses the modules of the page will ask for. Does nothing if they need more than what this
 * browser has stored.
 * @param {{access: string, until: number}} session
 * @param {string[]} paths
 */
export function sendEarly({ access, until }, paths) {
  const apikey = localStorage.getItem(KEY_STORAGE);
  if (!apikey || until - Date.now() < RENEWAL_MARGIN_MS) return;
  const headers = { apikey, Authorization: `Bearer ${access}` };
  for (const path of paths) {
    const response = fetch(serverURL(`/rest/v1/${path}`), { headers, cache: 'no-store' });
    const rows = response.then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
    early.set(path, { rows, sentAt: performance.now() });
  }
}

/**
 * @param {string} path
 * @returns {Promise<object[] | null> | undefined} the rows of a request that was sent early; null if it has failed
 */
export function earlyRows(path) {
  const { rows, sentAt } = early.get(path) ?? {};
  return performance.now() - sentAt < EARLY_MS ? rows : undefined;
}

/**
 * As `earlyRows`, and the next caller gets nothing.
 * @param {string} path
 */
export async function takeEarlyRows(path) {
  const rows = earlyRows(path);
  early.delete(path);
  return rows;
}

function olderThan({ updated_at, id }) {
  return encodeURIComponent(`(updated_at.lt.${updated_at},and(updated_at.eq.${updated_at},id.lt.${id}))`);
}
