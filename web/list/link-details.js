// What cards show beside the columns of a link: stored pictures, tags, highlights and reading progress.

import { isOffline } from '../shared/api/connection.js';
import { restRequest } from '../shared/api/session.js';
import { copiedLink, updateCopies } from '../shared/offline/copies.js';

/** What belongs to a link, as requests for links embed it. */
export const DETAILS = 'link_pictures(kind,state,pictures(address)),tags(id,name),highlights(count),'
  + 'reading_progress(percentage_complete)';

/**
 * @typedef {object} LinkDetails
 * @property {{preview?: string, icon?: string}} pictures URLs on this server: the preview of the page, and the
 *   icon of its site
 * @property {string[]} tags names in alphabetical order
 * @property {Record<string, string>} tagIds by name
 * @property {number} highlightCount
 * @property {number} progress the fraction that has been read, 0 to 1
 */

/**
 * Fetches the details of links. Links that no longer exist are missing from the result, which is empty on
 * failure.
 * @param {string[]} ids
 * @returns {Promise<Map<string, LinkDetails>>} by link id
 */
export async function fetchLinkDetails(ids) {
  if (!ids.length) return new Map();
  const rows = await restRequest(`links?select=id,${DETAILS}&id=in.(${ids})`).catch(() => []);
  if (isOffline()) return copiedDetails(ids);
  const details = rows.map((row) => ({ id: row.id, ...linkDetails(row) }));
  updateCopies(details).catch(() => {});
  return new Map(details.map((each) => [each.id, each]));
}

async function copiedDetails(ids) {
  const copies = await Promise.all(ids.map((id) => copiedLink(id).catch(() => undefined)));
  return new Map(copies.filter(Boolean).map(({ id, tags, tagIds }) => [id, { tags, tagIds }]));
}

/**
 * Returns the details in one row of the response.
 * @param {object} row
 * @returns {LinkDetails}
 */
export function linkDetails({ link_pictures, tags, highlights, reading_progress }) {
  const kept = link_pictures.filter(({ state, pictures }) => state === 'kept' && pictures);
  return {
    pictures: Object.fromEntries(kept.map(({ kind, pictures }) => [kind, `/pictures/${pictures.address}`])),
    tags: tags.map(({ name }) => name).sort((a, b) => a.localeCompare(b)),
    tagIds: Object.fromEntries(tags.map(({ id, name }) => [name, id])),
    highlightCount: highlights[0]?.count ?? 0,
    progress: Math.max(0, ...reading_progress.map(({ percentage_complete }) => percentage_complete)),
  };
}
