// Changes of many links while the server cannot be reached: each link has a change of its own, which waits.

import { failure } from '../shared/ui/messages.js';
import { deleteLink, updateLink } from '../shared/offline/offline-links.js';
import { addWaitingChange, cancelChange, waitingChanges } from '../shared/offline/waiting-changes.js';
import { sendWaitingChanges } from '../shared/offline/changes.js';
import { keepLinks } from '../shared/offline/offline-copies.js';
import { restoreLinks } from './bulk-changes.js';
import { BULK_MESSAGES } from './bulk-messages.js';
import { addTag, removeTag } from './folders-api.js';

/** Name of a change → what it does to one link; the result undoes it. */
const changers = {
  status: changeColumn,
  list: changeColumn,
  is_starred: changeColumn,
  add_tags: async ({ id, tags }, [name]) => {
    if (tags?.some((tag) => tag.toLowerCase() === name.toLowerCase())) return () => {};
    await addTag(id, name);
    return async () => {
      const isCancelled = await cancelChange(id, (change) => change.kind === 'tag' && change.name === name);
      // It may have had the tag before, where its tags are not known.
      if (!isCancelled && tags) await removeTag(id, `name:${name}`);
    };
  },
  delete: async (link) => {
    // Deleting a link that was never sent removes all its changes.
    const own = (await waitingChanges()).filter(({ linkId }) => linkId === link.id);
    await deleteLink(link.id);
    return async () => {
      if (await cancelChange(link.id, ({ kind }) => kind === 'delete')) return;
      if (!own.some(({ kind }) => kind === 'save')) {
        await restoreLinks([link.id]);
        return;
      }
      await keepLinks([link]);
      for (const change of own) await addWaitingChange(change);
      sendWaitingChanges();
    };
  },
};

/**
 * Changes links one by one.
 * @param {import('../shared/links/link-text.js').Link[]} links as they are before the change
 * @param {string} name of a `Change` of `bulk-changes.js`
 * @param {any} value its value
 * @returns {Promise<import('./bulk-changes.js').Done>} with those that could be changed
 * @throws {Error} if none could
 */
export async function changeEach(links, name, value) {
  const change = changers[name];
  if (!change) throw failure(BULK_MESSAGES.needsServer);
  const undos = [];
  const count = await each(links, async (link) => undos.push(await change(link, value, name)));
  return { count, undo: async () => void await each(undos, (undo) => undo()) };
}

// Works on all items, also after a failure, and returns how many succeeded. If none did, it throws the first failure.
async function each(items, work) {
  const failures = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length && failures.length === items.length) throw failures[0];
  return items.length - failures.length;
}

async function changeColumn(link, value, column) {
  const { id, [column]: before } = link;
  if (before === value) return () => {};
  await updateLink(id, { [column]: value });
  return () => updateLink(id, { [column]: before });
}
