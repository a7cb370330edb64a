// Changes of links: sent at once, or kept in order and sent when the server can be reached again.

import { isOffline } from '../api/connection.js';
import { currentSession } from '../api/session.js';
import { t } from '../locale/translate.js';
import { sendChange } from './change-requests.js';
import { copiedLink, keepLinks } from './offline-copies.js';
import { addWaitingChange, removeSentChange, renameLink, setFailure, waitingChanges } from './waiting-changes.js';

/** Answers that say nothing about the change itself: it is sent again later. */
const TEMPORARY = [401, 408, 429, 500, 502, 503, 504];

/** The pause before changes are sent again after such an answer. */
const PAUSE_MS = 5_000;

/** In all tabs together, changes are sent by one at a time. */
const LOCK = 'sending-changes';

/** Link → its last change that is being sent. The server drops a change that arrives after a later one. */
const sending = new Map();

let lastChangeAt = 0;
let retryTimer;
let isSending = false;
const sentCallbacks = [];

/** @typedef {import('./change-requests.js').Change} Change */

/**
 * Carries out a change of the user, after those of the link that are being sent. Without a network, or while earlier
 * changes of the link wait, it is kept, and the copy of the link changes.
 * @param {Change} made just now, unless it says when
 * @returns {Promise<any>} the link as it is now, if the change yields one
 * @throws {import('../api/client.js').RequestError} if the server refuses it
 */
export function change(made) {
  const stamped = { actedAt: nextTime(), ...made };
  const { linkId } = made;
  const earlier = sending.get(linkId);
  const sent = earlier ? earlier.catch(() => {}).then(() => send(stamped)) : send(stamped);
  if (linkId) {
    sending.set(linkId, sent);
    const end = () => {
      if (sending.get(linkId) === sent) sending.delete(linkId);
    };
    sent.then(end, end);
  }
  return sent;
}

// The server treats two changes with the same time as one.
function nextTime() {
  lastChangeAt = Math.max(Date.now(), lastChangeAt + 1);
  return new Date(lastChangeAt).toISOString();
}

async function send(stamped) {
  if (!isOffline() && !await hasWaiting(stamped.linkId)) {
    try {
      const { result } = await sendChange(stamped);
      if (result?.id) keepLinks([result]).catch(() => {});
      return result;
    } catch (error) {
      if (error.status) throw error;
    }
  }
  return keep(stamped);
}

/**
 * Keeps a change of the user that could not be sent, and sends it when the server can be reached.
 * @param {Change} made
 * @returns {Promise<any>} the link as it is now, if the change yields one
 */
export function changeLater(made) {
  return keep({ ...made, actedAt: nextTime() });
}

async function keep(made) {
  const before = await copiedLink(made.linkId).catch(() => undefined);
  await addWaitingChange({ ...made, before });
  const after = linkAfter(made, before);
  if (after && (before || made.kind === 'save')) await keepLinks([after]);
  sendWaitingChanges();
  return after;
}

/**
 * Sends the waiting changes, one after the other. Those that the server refuses stay, with the reason.
 * @returns {Promise<{sent: number, superseded: number}>} how many were sent, and of how many a newer change from
 *   another device was kept
 */
export async function sendWaitingChanges() {
  const outcome = { sent: 0, superseded: 0 };
  clearTimeout(retryTimer);
  await withLock(async () => {
    for (let next = await nextChange(); next; next = await nextChange()) {
      if (!await sendWaiting(next, outcome)) return;
    }
  });
  for (const callback of outcome.sent ? sentCallbacks : []) callback(outcome);
  return outcome;
}

/** @param {(outcome: {sent: number, superseded: number}) => void} callback called after waiting changes were sent */
export function onChangesSent(callback) {
  sentCallbacks.push(callback);
}

async function nextChange() {
  if (isOffline() || !currentSession()) return undefined;
  return (await waitingChanges()).find(({ failure }) => !failure);
}

// Returns whether the next one may be sent.
async function sendWaiting(waiting, outcome) {
  try {
    const { result, isSuperseded } = await sendChange(waiting);
    if (waiting.kind === 'save') await renameLink(waiting.linkId, result.id);
    if (result?.id) await keepLinks([result]);
    await removeSentChange(waiting);
    outcome.sent += 1;
    if (isSuperseded) outcome.superseded += 1;
    return true;
  } catch (error) {
    // The session has ended; the change waits until its user signs in again.
    if (!currentSession()) return false;
    if (error.status && !TEMPORARY.includes(error.status)) {
      // A place in an article that is gone is of no use to anybody.
      if (waiting.kind === 'progress') await removeSentChange(waiting);
      else await setFailure(waiting.id, error.message);
      return true;
    }
    // When the connection is back, everything is sent anyway.
    if (error.status) sendLater(error.retryAfter * 1000 || PAUSE_MS);
    return false;
  }
}

function sendLater(pause) {
  clearTimeout(retryTimer);
  retryTimer = setTimeout(sendWaitingChanges, pause);
}

async function hasWaiting(linkId) {
  return (await waitingChanges()).some((each) => each.linkId === linkId && !each.failure);
}

async function withLock(work) {
  if (navigator.locks) {
    await navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => (lock ? work() : sendLater(PAUSE_MS)));
  } else if (!isSending) {
    // Browsers have locks only on pages from HTTPS or from the machine itself.
    isSending = true;
    await work().finally(() => {
      isSending = false;
    });
  }
}

function linkAfter({ kind, linkId, changes, url, actedAt, name, tagId }, before) {
  // As the server writes times, so that links sort by them.
  const now = actedAt.replace('Z', '+00:00');
  if (kind === 'update') return { id: linkId, ...before, ...changes, updated_at: now };
  if (kind === 'tag' && before) {
    const { tags = [], tagIds = {} } = before;
    const others = tags.filter((tag) => tag !== name && (tagIds[tag] ?? `name:${tag}`) !== tagId);
    return { ...before, tags: [...others, name].filter(Boolean).sort() };
  }
  if (kind !== 'save') return null;
  return {
    id: linkId,
    raw_url: url,
    list: 'read',
    status: 'unread',
    is_starred: false,
    state: 'waiting',
    reason_message: t('Saved on this device. It is sent when the server can be reached.'),
    created_at: now,
    updated_at: now,
  };
}
