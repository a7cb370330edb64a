// The changes that wait to be sent, in the order in which they were made.

import { keepLinks, removeCopies } from './offline-copies.js';
import { transactOwn } from './own-database.js';

/** @typedef {import('./change-requests.js').Change} Change */

/** Tells the other tabs that the waiting changes have changed. */
const channel = globalThis.BroadcastChannel && new BroadcastChannel('waiting-changes');
const callbacks = [];
const droppedCallbacks = [];

/** @param {() => void} callback called after a change was added, removed or refused, in whichever tab */
export function onWaitingChanges(callback) {
  callbacks.push(callback);
  channel?.addEventListener('message', callback);
}

/** @param {() => void} callback called after a change was given up in this tab */
export function onChangeDropped(callback) {
  droppedCallbacks.push(callback);
}

function tell() {
  channel?.postMessage('');
  for (const callback of callbacks) callback();
}

/** @returns {Promise<Change[]>} in their order; none if the browser stores nothing */
export function waitingChanges() {
  return transactOwn('changes', 'readonly', (store) => store.getAll()).catch(() => []);
}

/**
 * Keeps a change until it can be sent. A later value of the same columns, a later place in the same article, and a
 * later change with the same key replace an earlier one; deleting a link that was never sent removes it.
 * @param {Change} change
 */
export async function addWaitingChange(change) {
  const earlier = (await waitingChanges()).filter(({ linkId }) => linkId === change.linkId);
  const isUnsent = earlier.some(({ kind }) => kind === 'save');
  if (change.kind === 'delete' && isUnsent) {
    await removeChanges(earlier.map(({ id }) => id));
    return;
  }
  const last = earlier.findLast(({ kind, key, failure }) => kind === change.kind && key === change.key && !failure);
  const isReplaced = last && (change.kind === 'update' || change.kind === 'progress' || change.key);
  const merged = isReplaced
    ? { ...change, id: last.id, before: last.before, changes: { ...last.changes, ...change.changes } }
    : change;
  await transactOwn('changes', 'readwrite', (store) => store.put(merged));
  tell();
}

/**
 * Removes a change that was sent, unless the user has changed it since.
 * @param {Change} sent
 */
export async function removeSentChange({ id, actedAt }) {
  await transactOwn('changes', 'readwrite', (store) => {
    const request = store.get(id);
    request.onsuccess = () => request.result?.actedAt === actedAt && store.delete(id);
  });
  tell();
}

/**
 * Sets why the server has refused a change, or null to have it sent again.
 * @param {number} id
 * @param {string | null} failure
 */
export async function setFailure(id, failure) {
  await transactOwn('changes', 'readwrite', (store) => {
    const request = store.get(id);
    request.onsuccess = () => request.result && store.put({ ...request.result, failure });
  });
  tell();
}

/**
 * Gives up a change. The copy of the link is as it was before.
 * @param {Change} change
 */
export async function dropChange({ id, kind, linkId, before }) {
  if (kind === 'save') await removeCopies([linkId]);
  else if (before) await keepLinks([before]);
  await removeChanges([id]);
  for (const callback of droppedCallbacks) callback();
}

/**
 * Gives up the last waiting change of a link that is wanted.
 * @param {string} linkId
 * @param {(change: Change) => boolean} isWanted
 * @returns {Promise<boolean>} whether there was one
 */
export async function cancelChange(linkId, isWanted) {
  const found = (await waitingChanges()).findLast((change) => change.linkId === linkId && isWanted(change));
  if (found) await dropChange(found);
  return Boolean(found);
}

/**
 * Has the changes of a link that was saved without a network refer to the link that the server has made.
 * @param {string} temporaryId
 * @param {string} linkId
 */
export async function renameLink(temporaryId, linkId) {
  await transactOwn('changes', 'readwrite', (store) => {
    const request = store.getAll();
    request.onsuccess = () => {
      const own = request.result.filter((change) => change.linkId === temporaryId);
      for (const change of own) store.put({ ...change, linkId });
    };
  });
  await removeCopies([temporaryId]);
}

async function removeChanges(ids) {
  await transactOwn('changes', 'readwrite', (store) => {
    for (const id of ids) store.delete(id);
  });
  tell();
}
