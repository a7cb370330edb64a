// Requests of the queue page.

import { restRequest } from '../shared/api/session.js';

/**
 * Fetches rows, and how many there are without the limit.
 * @param {string} path below `/rest/v1/`
 * @returns {Promise<{items: object[], total: number}>}
 */
export function fetchCounted(path) {
  return restRequest(path, {
    headers: { Prefer: 'count=exact' },
    transform: (items, response) => ({ items, total: totalCount(response) }),
  });
}

// Content-Range is `<first>-<last>/<total>`.
function totalCount(response) {
  return Number(response.headers.get('Content-Range').split('/')[1]);
}

/**
 * Removes waiting jobs from the queue.
 * @param {{link_ids: string[]} | {batch_id: string}} filter which jobs
 * @returns {Promise<number>} how many were removed; there may be more
 */
export function cancelJobs(filter) {
  return restRequest('rpc/cancel_jobs', { method: 'POST', body: filter });
}

/**
 * Queues links to be fetched again. Several links are queued with the low priority of an import.
 * @param {string[]} linkIds
 */
export async function retryLinks(linkIds) {
  await restRequest(`links?id=in.(${linkIds})`, {
    method: 'PATCH',
    body: { state: 'pending' },
    headers: { Prefer: 'return=minimal', ...(linkIds.length > 1 && { 'X-Lectern-Intent': 'import' }) },
  });
}
