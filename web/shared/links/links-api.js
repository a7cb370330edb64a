// Requests for links, with the columns that the pages show.

import { request } from '../api/client.js';
import { currentSession, restRequest } from '../api/session.js';
import { linkPath, linkWithDetails, listPath, SELECT, takeEarlyRows } from './link-requests.js';

/** @typedef {import('./link-text.js').Link} Link */

/**
 * Fetches one page of a list, most recently updated first, with the details of the links.
 * @param {'read' | 'archive'} list
 * @param {number} limit
 * @param {Link} [after] the last link of the previous page
 * @returns {Promise<Link[]>}
 */
export async function fetchLinks(list, limit, after) {
  const path = listPath(list, limit, after);
  const rows = await takeEarlyRows(path) ?? await restRequest(path);
  return rows.map(linkWithDetails);
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
  const [link] = await restRequest(linkPath(id));
  return link;
}

/**
 * Saves a URL to To Read as unread. A page that is already saved moves back there; both times of a new link are equal.
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
