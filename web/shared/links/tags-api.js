// Requests that put links under tags and into collections.

import { restRequest } from '../api/session.js';

/**
 * Returns the tag with this name, whatever the case. Creates it if there is none.
 * @param {string} name
 * @returns {Promise<{tag: {id: string, name: string}, isNew: boolean}>}
 */
export async function findOrCreateTag(name) {
  const tags = await restRequest('tags?select=id,name');
  const known = tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
  if (known) return { tag: known, isNew: false };
  const [tag] = await restRequest('tags?select=id,name', { method: 'POST', body: { name } });
  return { tag, isNew: true };
}

/**
 * Gives a link a tag, which is created if there is none of this name.
 * @param {string} id
 * @param {string} name
 */
export async function addTag(id, name) {
  const { tag } = await findOrCreateTag(name);
  await insertOnce('link_tags', { link_id: id, tag_id: tag.id });
}

/**
 * @param {string} id
 * @param {string} tagId or `name:` and the name of the tag
 */
export async function removeTag(id, tagId) {
  const name = /^name:(.*)$/s.exec(tagId)?.[1];
  const known = name === undefined ? tagId : (await findOrCreateTag(name)).tag.id;
  await restRequest(`link_tags?link_id=eq.${id}&tag_id=eq.${known}`, { method: 'DELETE' });
}

/**
 * Puts a link into a collection or takes it out.
 * @param {string} id
 * @param {string} collectionId
 * @param {boolean} isMember
 */
export async function setMembership(id, collectionId, isMember) {
  if (isMember) await insertOnce('collection_links', { link_id: id, collection_id: collectionId });
  else {
    const filter = `link_id=eq.${id}&collection_id=eq.${collectionId}`;
    await restRequest(`collection_links?${filter}`, { method: 'DELETE' });
  }
}

/**
 * Inserts rows that may be there already.
 * @param {string} table
 * @param {object | object[]} rows
 */
export function insertOnce(table, rows) {
  const Prefer = 'return=minimal,resolution=ignore-duplicates';
  return restRequest(table, { method: 'POST', body: rows, headers: { Prefer } });
}
