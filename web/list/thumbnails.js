// The stored pictures of links in the list: the preview of the page and the icon of its site.

import { restRequest } from '../shared/api/session.js';

/**
 * Fetches the pictures of links. Links without pictures are missing from the result, which is empty on
 * failure.
 * @param {string[]} ids
 * @returns {Promise<Map<string, {preview?: string, icon?: string}>>} link id → URLs on this server
 */
export async function fetchThumbnails(ids) {
  const thumbnails = new Map();
  if (!ids.length) return thumbnails;
  const filter = `link_id=in.(${ids})&kind=in.(preview,icon)&state=eq.kept`;
  const query = `${filter}&select=link_id,kind,pictures(address)`;
  const rows = await restRequest(`link_pictures?${query}`).catch(() => []);
  for (const { link_id, kind, pictures } of rows) {
    if (!pictures) continue;
    thumbnails.set(link_id, { ...thumbnails.get(link_id), [kind]: `/pictures/${pictures.address}` });
  }
  return thumbnails;
}
