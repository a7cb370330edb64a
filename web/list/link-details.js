// What cards show beside the columns of a link: stored pictures, tags, highlights and reading progress.

import { isOffline } from '../shared/api/connection.js';
import { restRequest } from '../shared/api/session.js';
import { DETAILS, linkWithDetails } from '../shared/links/link-requests.js';
import { copiedLink, updateCopies } from '../shared/offline/offline-copies.js';

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
  return new Map(rows.map(linkWithDetails).map((each) => [each.id, each]));
}

/**
 * Keeps details for use without a network. What was read from the copies is not kept again.
 * @param {[string, import('../shared/links/link-requests.js').LinkDetails][]} details by link id
 */
export function keepLinkDetails(details) {
  if (!isOffline()) updateCopies(details.map(([id, each]) => ({ ...each, id }))).catch(() => {});
}

async function copiedDetails(ids) {
  const copies = await Promise.all(ids.map((id) => copiedLink(id).catch(() => undefined)));
  return new Map(copies.filter(Boolean).map(({ id, tags, tagIds }) => [id, { tags, tagIds }]));
}
