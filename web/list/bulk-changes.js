// Changes of many links at once, each with its undo: of everything that a query finds, or of links by their ids.

import { isOffline } from '../shared/api/connection.js';
import { restRequest } from '../shared/api/session.js';
import { findOrCreateTag } from '../shared/links/tags-api.js';
import { t } from '../shared/locale/translate.js';
import { failure } from '../shared/ui/messages.js';
import { showToast } from '../shared/ui/toast.js';
import { BULK_MESSAGES } from './bulk-messages.js';

/** Ids in one request; 100 ids make a URL of 4 kB. */
const CHUNK = 100;

/** Requests for one link each that run at the same time. */
const AT_ONCE = 4;

/** After so many milliseconds the page says that it is working. */
const SLOW_MS = 1000;

/**
 * The columns, tags or collection to change, with the names of `rpc/change_links`.
 * @typedef {{status?: string, list?: string, is_starred?: boolean, add_tags?: string[], add_to?: string,
 *   delete?: true}} Change one of them
 * @typedef {{count: number, undo: () => Promise<void>}} Done
 */

/**
 * Changes everything that a query finds, in one transaction of the server, which alone knows all of it.
 * @param {string} query
 * @param {Change} change
 * @returns {Promise<Done>}
 */
export async function changeQuery(query, change) {
  if (isOffline()) throw failure(BULK_MESSAGES.needsServer);
  try {
    const { count, undo } = await rpc('change_links', { query, change });
    return { count, undo: () => rpc('undo_change', { undo }) };
  } catch (error) {
    throw isOffline() ? failure(BULK_MESSAGES.connectionLost) : error;
  }
}

/**
 * Changes links by their ids. The language of queries has no ids, so this writes to the tables. Without a network, the
 * changes wait.
 * @param {import('../shared/links/link-text.js').Link[]} links as they are before the change
 * @param {Change} change
 * @returns {Promise<Done>}
 */
export async function changeLinks(links, change) {
  const ids = links.map(({ id }) => id);
  const [name, value] = Object.entries(change)[0];
  try {
    if (!isOffline()) return { count: links.length, undo: await changers[name](links, ids, value, name) };
  } catch (error) {
    // What got no response may have been done. To set a column again does no harm.
    if (!isOffline() || changers[name] !== changeColumn) throw error;
  }
  const { changeEach } = await import('./offline-bulk.js');
  return changeEach(links, name, value);
}

const changers = {
  status: changeColumn,
  list: changeColumn,
  is_starred: changeColumn,
  add_tags: async (links, ids, [name]) => {
    const { tag, isNew } = await findOrCreateTag(name);
    const rows = ids.map((link_id) => ({ link_id, tag_id: tag.id }));
    const added = await insertMissing('link_tags', rows);
    return async () => {
      await removeRows('link_tags', `tag_id=eq.${tag.id}`, added);
      if (isNew) await restRequest(`tags?id=eq.${tag.id}`, { method: 'DELETE' });
    };
  },
  add_to: async (links, ids, collection_id) => {
    const added = await insertMissing('collection_links', ids.map((link_id) => ({ collection_id, link_id })));
    return () => removeRows('collection_links', `collection_id=eq.${collection_id}`, added);
  },
  delete: async (links, ids) => {
    await eachChunk(ids, (some) => restRequest(`links?id=in.(${some})&select=id`, { method: 'DELETE' }));
    return () => restoreLinks(ids);
  },
};

/**
 * Does something that may take minutes with 100,000 links, and says so until it ends.
 * @template T
 * @param {() => void} say called after a second, and then every second
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function announcingWhile(say, work) {
  const timer = setInterval(say, SLOW_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/**
 * Says what was done, and offers to undo it. Where that fails for now, as without a network, it is offered again.
 * @param {string} text
 * @param {() => Promise<void>} undo
 * @param {() => Promise<void>} onUndone
 * @param {'info' | 'warning' | 'error' | 'critical'} [severity] of the text
 */
export function offerUndo(text, undo, onUndone, severity) {
  const run = async () => {
    try {
      await announcingWhile(sayUndoing, undo);
      showToast(t('Undone.'));
    } catch (error) {
      const { message, severity = 'error', status } = error;
      if (isOffline() || !status || status === 429 || status >= 500) {
        offerUndo(message, undo, onUndone, severity);
        return;
      }
      // Such as 410: a repeated request, whose response was lost, may have undone it.
      showToast(message, undefined, severity);
    }
    await onUndone();
  };
  showToast(text, run, severity);
}

// Screen readers read a toast again each time it is shown.
function sayUndoing() {
  if (!document.querySelector('#toast.shown')) showToast(t('Undoing…'));
}

/**
 * Restores links from the trash.
 * @param {string[]} ids
 */
export async function restoreLinks(ids) {
  const waiting = [...ids];
  const restoreNext = async () => {
    for (let id = waiting.shift(); id; id = waiting.shift()) await rpc('restore_link', { link_id: id });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, restoreNext));
}

async function changeColumn(links, ids, value, column) {
  const changed = links.filter((link) => link[column] !== value);
  const olds = [...new Set(changed.map((link) => link[column]))];
  const groups = olds.map((old) => [old, changed.filter((link) => link[column] === old).map(({ id }) => id)]);
  await setColumn(changed.map(({ id }) => id), column, value);
  return async () => {
    for (const [old, some] of groups) await setColumn(some, column, old);
  };
}

function setColumn(ids, column, value) {
  return eachChunk(ids, (some) =>
    restRequest(`links?id=in.(${some})&select=id`, { method: 'PATCH', body: { [column]: value } }));
}

// Returns the ids of the links that did not have such a row.
async function insertMissing(table, rows) {
  const Prefer = 'return=representation,resolution=ignore-duplicates';
  const added = await restRequest(`${table}?select=link_id`, { method: 'POST', body: rows, headers: { Prefer } });
  return added.map(({ link_id }) => link_id);
}

function removeRows(table, filter, linkIds) {
  return eachChunk(linkIds, (some) =>
    restRequest(`${table}?${filter}&link_id=in.(${some})&select=link_id`, { method: 'DELETE' }));
}

async function eachChunk(ids, send) {
  for (let start = 0; start < ids.length; start += CHUNK) await send(ids.slice(start, start + CHUNK));
}

function rpc(name, body) {
  return restRequest(`rpc/${name}`, { method: 'POST', body });
}
