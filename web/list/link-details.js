// What cards show beside the columns of a link: stored pictures, tags, highlights and reading progress.

import { isOffline } from '../shared/api/connection.js';
import { restRequest } from '../shared/api/session.js';
import { DETAILS, linkWithDetails } from '../shared/links/link-requests.js';
import { copiedLink, updateCopies } from '../shared/offline/copies.js';

/**
 * Fetches the details of links. Links that no longer exist are missing from the result, which is empty on
 * failure.
 * @param {string[]} ids
 * @returns {Promise<Map<string, import('../shared/links/link-requests.js').LinkDetails>>} by link id
 */
export async function fetchLinkDetails(ids) {
  if (!ids.length) return new Map();
  const rows = await restRequest(`links?select=id,${DETAILS}&id=in.(${ids})`).catch(() => []);
  if (isOffline()) return copiedDetails(ids);
  const details = rows.map(linkWithDetails);
  updateCopies(details).catch(() => {});
  return new Map(details.map((each) => [each.id, each]));
}

async function copiedDetails(ids) {
  const copies = await Promise.all(ids.map((id) => copiedLink(id).catch(() => undefined)));
  return new Map(copies.filter(Boolean).map(({ id, tags, tagIds }) => [id, { tags, tagIds }]));
}
