// The links before and after an open one: in the list or the search that led to it if its row is there, else in
// the list that the link is in.

import { restRequest } from '../shared/api/session.js';

const COLUMNS = 'id,title,title_is_text,raw_url,resolved_url,site_name';

/** Offset in the list → how the REST API finds the nearest link on that side. Newest links come first. */
const SIDES = { '-1': ['gt', 'asc'], 1: ['lt', 'desc'] };

/**
 * Returns the link before or after a link, or undefined if there is none.
 * @param {import('../shared/links/link-text.js').Link} link
 * @param {1 | -1} offset
 * @param {object} page
 * @param {import('../list/link-list.js').LinkList} page.list
 * @param {import('../shared/links/link-store.js').LinkStore} page.store
 * @returns {Promise<import('../shared/links/link-text.js').Link | undefined>}
 */
export async function adjacentLink(link, offset, { list, store }) {
  const row = list.row(link.id);
  const neighbour = row && !row.hidden && list.neighbour(row, offset);
  if (neighbour) return store.get(neighbour.dataset.id);
  const [operator, direction] = SIDES[offset];
  const { updated_at, id } = link;
  const beyond = `(updated_at.${operator}.${updated_at},and(updated_at.eq.${updated_at},id.${operator}.${id}))`;
  const query = `select=${COLUMNS}&list=eq.${link.list}&or=${encodeURIComponent(beyond)}&limit=1`
    + `&order=updated_at.${direction}.nullslast,id.${direction}`;
  const [other] = await restRequest(`links?${query}`).catch(() => []);
  return other;
}
