// Requests for tags and collections.

import { isOffline } from '../shared/api/connection.js';
import { restRequest } from '../shared/api/session.js';
import { findOrCreateTag, insertOnce } from '../shared/links/tags-api.js';
import { change } from '../shared/offline/changes.js';
import { copiedLink } from '../shared/offline/copies.js';

/**
 * @typedef {{id: string, name: string, count: number}} Tag
 * @typedef {{id: string, name: string, query: string | null, parent_id: string | null, count: number}} Collection
 */

/** @returns {Promise<Tag[]>} all tags by name, with how many links have them */
export async function fetchTags() {
  const rows = await restRequest('tags?select=id,name,link_tags(count)');
  return rows.map(({ link_tags, ...tag }) => ({ ...tag, count: link_tags[0]?.count ?? 0 })).sort(byName);
}

/** @returns {Promise<Collection[]>} all collections by name, with how many links they show; none without a network */
export async function fetchCollections() {
  if (isOffline()) return [];
  const rows = await restRequest('collections?select=id,name,query,parent_id,collection_links(count)');
  return rows
    .map(({ collection_links, ...collection }) => ({ ...collection, count: collection_links[0]?.count ?? 0 }))
    .sort(byName);
}

/**
 * Fetches the tags of a link, and the ids of the collections into which it was put.
 * @param {string} id
 * @returns {Promise<{tags: {id: string, name: string}[], collections: string[]}>}
 */
export async function fetchFolders(id) {
  const copy = isOffline() && await copiedLink(id).catch(() => undefined);
  if (copy) return { tags: copiedTags(copy), collections: [] };
  const select = 'select=tags(id,name),collection_links(collection_id)';
  const [row] = await restRequest(`links?id=eq.${id}&${select}`);
  return {
    tags: row?.tags.sort(byName) ?? [],
    collections: row?.collection_links.map(({ collection_id }) => collection_id) ?? [],
  };
}

/**
 * Gives a link a tag, which is created if there is none of this name.
 * @param {string} id
 * @param {string} name
 */
export async function addTag(id, name) {
  await change({ kind: 'tag', linkId: id, name });
}

/**
 * @param {string} id
 * @param {string} tagId
 */
export async function removeTag(id, tagId) {
  await change({ kind: 'tag', linkId: id, tagId });
}

/**
 * Puts a link into a collection or takes it out.
 * @param {string} id
 * @param {string} collectionId
 * @param {boolean} isMember
 */
export async function setMembership(id, collectionId, isMember) {
  await change({ kind: 'collection', linkId: id, collectionId, isMember });
}

/**
 * Returns names that begin with a text.
 * @param {string} prefix
 * @returns {Promise<{tags: string[], collections: string[], domains: string[]}>}
 */
export function suggest(prefix) {
  return restRequest('rpc/suggest', { method: 'POST', body: { prefix, limit: 8 } });
}

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

// A tag that waits to be added has no id yet; see `shared/links/tags-api.js`.
function copiedTags({ tags = [], tagIds = {} }) {
  return tags.map((name) => ({ id: tagIds[name] ?? `name:${name}`, name }));
}

function byName(a, b) {
  return a.name.localeCompare(b.name);
}
