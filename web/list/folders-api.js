// Requests for tags and collections, and for those of a link.

import { isOffline } from '../shared/api/connection.js';
import { restRequest } from '../shared/api/session.js';
import { locale } from '../shared/locale/translate.js';
import { copiedLink } from '../shared/offline/offline-copies.js';

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
 * Fetches the tags of a link, and the ids of the collections into which it was put. Without a network, the tags are
 * those of the copy, and the collections are not known.
 * @param {string} id
 * @returns {Promise<{tags: {id: string, name: string}[], collections?: string[]}>}
 */
export async function fetchFolders(id) {
  const path = `links?id=eq.${id}&select=tags(id,name),collection_links(collection_id)`;
  const rows = await fetchOnline(path);
  const copy = rows ? undefined : await copiedLink(id).catch(() => undefined);
  if (copy) return { tags: copiedTags(copy) };
  const [row] = rows ?? await restRequest(path);
  return {
    tags: row?.tags.sort(byName) ?? [],
    collections: row?.collection_links.map(({ collection_id }) => collection_id) ?? [],
  };
}

// Resolves to undefined if the server cannot be reached, even if this request is the first one to fail.
async function fetchOnline(path) {
  if (isOffline()) return undefined;
  return restRequest(path).catch((error) => {
    if (error.status) throw error;
  });
}

async function changeLink(made) {
  const { change } = await import('../shared/offline/changes.js');
  await change(made);
}

/**
 * Gives a link a tag, which is created if there is none of this name.
 * @param {string} id
 * @param {string} name
 */
export async function addTag(id, name) {
  await changeLink({ kind: 'tag', linkId: id, name });
}

/**
 * @param {string} id
 * @param {string} tagId
 */
export async function removeTag(id, tagId) {
  await changeLink({ kind: 'tag', linkId: id, tagId });
}

/**
 * Puts a link into a collection or takes it out.
 * @param {string} id
 * @param {string} collectionId
 * @param {boolean} isMember
 */
export async function setMembership(id, collectionId, isMember) {
  await changeLink({ kind: 'collection', linkId: id, collectionId, isMember });
}

/**
 * Returns names that begin with a text.
 * @param {string} prefix
 * @returns {Promise<{tags: string[], collections: string[], domains: string[]}>}
 */
export function suggest(prefix) {
  return restRequest('rpc/suggest', { method: 'POST', body: { prefix, limit: 8 } });
}

// A tag that waits to be added has no id yet; see `shared/links/tags-api.js`.
function copiedTags({ tags = [], tagIds = {} }) {
  return tags.map((name) => ({ id: tagIds[name] ?? `name:${name}`, name }));
}

function byName(a, b) {
  return a.name.localeCompare(b.name, locale);
}
