// What cards show beside the columns of a link: stored pictures, tags, highlights and reading progress.

import { restRequest } from '../shared/api/session.js';

const SELECT = 'select=id,link_pictures(kind,state,pictures(address)),tags(id,name),highlights(count),'
  + 'reading_progress(percentage_complete)';

/**
 * @typedef {object} LinkDetails
 * @property {{preview?: string, icon?: string}} pictures URLs on this server: the preview of the page, and the
 *   icon of its site
 * @property {string[]} tags names in alphabetical order
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
  const rows = await restRequest(`links?${SELECT}&id=in.(${ids})`).catch(() => []);
  return new Map(rows.map((row) => [row.id, linkDetails(row)]));
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
    highlightCount: highlights[0]?.count ?? 0,
    progress: Math.max(0, ...reading_progress.map(({ percentage_complete }) => percentage_complete)),
  };
}
