// Creating, changing and deleting tags and collections.

import { restRequest } from '../shared/api/session.js';
import { findOrCreateTag, insertOnce } from '../shared/links/tags-api.js';

/**
 * @param {'tags' | 'collections'} table
 * @param {object} values
 * @returns {Promise<object>} the row
 */
export async function createFolder(table, values) {
  const [row] = await restRequest(table, { method: 'POST', body: values });
  return row;
}

/**
 * @param {'tags' | 'collections'} table
 * @param {string} id
 * @param {object} values
 */
export async function updateFolder(table, id, values) {
  await restRequest(`${table}?id=eq.${id}`, { method: 'PATCH', body: values });
}

/**
 * Finds a collection by its name, ignoring case. The server allows several of the same name.
 * @param {string} name
 * @param {string | null} parent the id of the collection in which it is nested; null if it is not
 * @returns {Promise<{id: string, query: string | null} | undefined>}
 */
export async function findCollection(name, parent) {
  const rows = await restRequest(`collections?select=id,name,query&parent_id=${parent ? `eq.${parent}` : 'is.null'}`);
  return rows.find((row) => row.name.toLowerCase() === name.toLowerCase());
}

/**
 * Gives all links of a tag another one, by its name, and deletes the first.
 * @param {string} id
 * @param {string} name of the other tag, whatever the case
 */
export async function mergeTag(id, name) {
  const { tag } = await findOrCreateTag(name);
  await restRequest('rpc/merge_tags', { method: 'POST', body: { from_tag: id, into_tag: tag.id } });
}

/**
 * Deletes a tag.
 * @param {string} id
 * @returns {Promise<() => Promise<void>>} creates it again, with its links
 */
export async function deleteTag(id) {
  const [[row], members] = await Promise.all([
    restRequest(`tags?id=eq.${id}`),
    restRequest(`link_tags?tag_id=eq.${id}`),
  ]);
  await restRequest(`tags?id=eq.${id}`, { method: 'DELETE' });
  return () => recreate('tags', row, 'link_tags', members);
}

/**
 * Deletes a collection. Those nested in it move up to its parent.
 * @param {string} id
 * @returns {Promise<() => Promise<void>>} creates it again, with its links and with what was nested in it
 */
export async function deleteCollection(id) {
  const [[row], members, children] = await Promise.all([
    restRequest(`collections?id=eq.${id}`),
    restRequest(`collection_links?collection_id=eq.${id}&select=*,links(created_at)`),
    restRequest(`collections?parent_id=eq.${id}&select=id`),
  ]);
  const moveChildren = (parent_id) => {
    const ids = children.map((child) => child.id);
    return ids.length && restRequest(`collections?id=in.(${ids})`, { method: 'PATCH', body: { parent_id } });
  };
  await moveChildren(row.parent_id);
  await restRequest(`collections?id=eq.${id}`, { method: 'DELETE' });
  return async () => {
    await recreate('collections', row, 'collection_links', members.filter((each) => !isComputed(each)).map(stored));
    await moveChildren(id);
  };
}

// A row that the collection's query computes; see docs/search.md.
function isComputed({ position, created_at, links }) {
  return position === 0 && created_at === links?.created_at;
}

function stored({ links, ...row }) {
  return row;
}

async function recreate(table, { acted_at, acted_as, ...row }, memberTable, members) {
  await createFolder(table, row);
  if (members.length) await insertOnce(memberTable, members);
}
