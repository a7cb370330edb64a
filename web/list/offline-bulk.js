// Changes of many links while the server cannot be reached: each link has a change of its own, which waits.

import { deleteLink, updateLink } from '../shared/offline/offline-links.js';
import { cancelDeletion } from '../shared/offline/waiting-changes.js';
import { restoreLinks } from './bulk-changes.js';
import { addTag, removeTag, setMembership } from './folders-api.js';

/** Name of a change → what it does to one link; the result undoes it. */
const changers = {
  status: changeColumn,
  list: changeColumn,
  is_starred: changeColumn,
  add_tags: async ({ id, tags = [] }, [name]) => {
    if (tags.includes(name)) return () => {};
    await addTag(id, name);
    return () => removeTag(id, `name:${name}`);
  },
  add_to: async ({ id }, collectionId) => {
    await setMembership(id, collectionId, true);
    return () => setMembership(id, collectionId, false);
  },
  delete: async ({ id }) => {
    await deleteLink(id);
    return async () => {
      if (!await cancelDeletion(id)) await restoreLinks([id]);
    };
  },
};

/**
 * @param {import('../shared/links/link-text.js').Link[]} links as they are before the change
 * @param {string} name of a `Change` of `bulk-changes.js`
 * @param {any} value its value
 * @returns {Promise<() => Promise<void>>} undoes it
 */
export async function changeEach(links, name, value) {
  const undos = [];
  for (const link of links) undos.push(await changers[name](link, value, name));
  return async () => {
    for (const undo of undos) await undo();
  };
}

async function changeColumn(link, value, column) {
  const { id, [column]: before } = link;
  if (before === value) return () => {};
  await updateLink(id, { [column]: value });
  return () => updateLink(id, { [column]: before });
}
