// Requests for links, with the columns that the pages show.

import { request } from '../api/client.js';
import { currentSession, restRequest } from '../api/session.js';

const COLUMNS = 'id,raw_url,resolved_url,title,title_is_text,description,description_is_text,list,status,'
  + 'is_starred,created_at,updated_at,state,reason,reason_message,word_count,reading_time';

/** What requests for links select. */
export const SELECT = `select=${COLUMNS}`;

/** @typedef {import('./link-text.js').Link} Link */

/**
 * Fetches one page of a list, most recently updated first.
 * @param {'read' | 'archive'} list
 * @param {number} limit
 * @param {Link} [after] the last link of the previous page
 * @returns {Promise<Link[]>}
 */
export function fetchLinks(list, limit, after) {
  const order = `order=updated_at.desc.nullslast,id.desc&limit=${limit}`;
  return restRequest(`links?${SELECT}&list=eq.${list}&${order}${after ? `&or=${olderThan(after)}` : ''}`);
}

/**
 * Fetches one page of the links that a search finds.
 * @param {string} query see docs/search.md
 * @param {number} limit
 * @param {string} [cursor] `next` of the previous page
 * @returns {Promise<{links: Link[], next: string | null}>}
 */
export function searchLinks(query, limit, cursor) {
  return restRequest('rpc/search_links', { method: 'POST', body: { query, limit, cursor } });
}

function olderThan({ updated_at, id }) {
  return encodeURIComponent(`(updated_at.lt.${updated_at},and(updated_at.eq.${updated_at},id.lt.${id}))`);
}

/**
 * Fetches the links with these ids. Links that no longer exist are missing from the result.
 * @param {string[]} ids
 * @returns {Promise<Link[]>}
 */
export function fetchLinksById(ids) {
  return restRequest(`links?${SELECT}&id=in.(${ids})`);
}

/**
 * Fetches one link. An id that was merged into another link yields that link.
 * @param {string} id
 * @returns {Promise<Link | undefined>}
 */
export async function fetchLink(id) {
  const [link] = await restRequest(`links?${SELECT}&id=eq.${id}`);
  return link;
}

/**
 * Saves a URL to To Read as unread. A page that is already saved moves back there; the times of a new link are equal.
 * @param {string} url
 * @returns {Promise<Link>}
 */
export async function saveLink(url) {
  const [link] = await restRequest(`links?on_conflict=user_id,raw_url&${SELECT}`, {
    method: 'POST',
    body: { raw_url: url, list: 'read', status: 'unread' },
    headers: { Prefer: 'return=representation,resolution=merge-duplicates' },
  });
  return link;
}

/**
 * Saves a URL together with its page, at most 10 MB.
 * @param {{url: string, html: string, title?: string, tags?: string[], list?: string, status?: string}} page
 * @returns {Promise<Link>}
 */
export async function savePage(page) {
  const [link] = await restRequest(`rpc/save_page?${SELECT}`, { method: 'POST', body: page });
  return link;
}

/**
 * Changes columns of one link.
 * @param {string} id
 * @param {object} changes
 * @returns {Promise<Link | undefined>} the link as stored
 */
export async function updateLink(id, changes) {
  const [link] = await restRequest(`links?id=eq.${id}&${SELECT}`, { method: 'PATCH', body: changes });
  return link;
}

/**
 * Deletes one link.
 * @param {string} id
 */
export async function deleteLink(id) {
  await restRequest(`links?id=eq.${id}`, { method: 'DELETE' });
}

/**
 * Deletes one link while the page is being left. The request is sent before this function returns and
 * outlives the page, so there is no time to renew the session first.
 * @param {string} id
 */
export function deleteLinkOnLeave(id) {
  const token = currentSession()?.access;
  request(`/rest/v1/links?id=eq.${id}`, { method: 'DELETE', token, keepalive: true });
}
