// Sends what waits in the queue, in order, one entry after the other.

import { t } from '../shared/words.js';
import { sendChange } from './changes.js';
import { noteOutcome, outcomeOf } from './outcomes.js';
import { changeEntry, listEntries, readEntry, readPage } from './queue-store.js';
import { failure, rest } from './server.js';
import { note, readAccount } from './storage.js';

const COLUMNS = 'id,state,reason,title,list,status,created_at,updated_at';

/** The alarm that tries again. Chromium rings alarms at most every 30 seconds. */
export const RETRY_ALARM = 'retry';
const RETRY_MINUTES = 1;

/** If the server fails at so many entries, the others are not tried. */
const MAX_FAILURES = 3;

/** @param {{server: string, user: string}} account */
export function accountName({ server, user }) {
  return `${server} ${user}`;
}

/**
 * Returns whether an entry was saved with an account. The server may have another address by now; ids of users are unique.
 * @param {import('./queue-store.js').Entry} entry
 * @param {{user: string}} account
 * @returns {boolean}
 */
export function belongsTo(entry, { user }) {
  return entry.account.endsWith(` ${user}`);
}

/** The entries that are being sent, so that none is sent twice at once. */
const sending = new Map();

/**
 * Sends one entry, as far as it can be sent now.
 * @param {string} key
 * @returns {Promise<object | null>} the link as the server answered it, null if there is nothing to send
 * @throws {import('./server.js').Failure}
 */
export function sendEntry(key) {
  const started = (sending.get(key) ?? Promise.resolve()).catch(() => {}).then(() => sendNow(key));
  sending.set(key, started);
  return started.finally(() => {
    if (sending.get(key) === started) sending.delete(key);
  });
}

/**
 * Waits until an entry that is being sent was sent, or could not be.
 * @param {string} key
 */
export async function whenSent(key) {
  await sending.get(key)?.catch(() => {});
}

async function sendNow(key) {
  let entry = await readEntry(key);
  // Another part of the extension has sent it, such as the one that runs when the service worker starts.
  if (!entry) return outcomeOf(key).link ?? null;
  await checkAccount(entry);
  let link = null;
  try {
    if (!entry.isSaved || (entry.hasPage && !entry.isHeld)) {
      const hadPage = entry.hasPage && !entry.isHeld;
      link = await saveLink(entry);
      noteOutcome(key, { link, ...(hadPage && { sentAt: Date.now() }) });
      entry = await changeEntry(key, (stored) => {
        Object.assign(stored, { isSaved: true, linkId: link.id, sentAt: new Date().toISOString() });
        if (hadPage) stored.hasPage = false;
        delete stored.failure;
      });
    }
    for (const change of entry?.changes ?? []) {
      await sendChange(entry.linkId, change);
      await changeEntry(key, (stored) => {
        stored.changes = stored.changes.filter(({ id }) => id !== change.id);
        delete stored.failure;
      });
    }
  } catch (error) {
    if (error.kind === 'refused' || error.kind === 'missing') {
      await note(t('Refused: {url}: {message}', { url: entry.url, message: error.message }));
      await changeEntry(key, (stored) => { stored.failure = error.message; });
    } else {
      await retryLater();
    }
    throw error;
  }
  return link ?? outcomeOf(key).link ?? null;
}

// An entry belongs to the account that saved it, whoever is signed in now.
async function checkAccount(entry) {
  const account = await readAccount();
  if (account && !belongsTo(entry, account)) {
    throw failure(
      'signed-out', t('This was saved with another account. It is sent when that account signs in again.'));
  }
}

async function saveLink(entry) {
  const page = entry.hasPage && !entry.isHeld ? await readPage(entry.key) : undefined;
  if (page !== undefined) {
    try {
      return await savePage(entry, page);
    } catch (error) {
      // A link without its page is better than none.
      const problem = { missing: 'unsupported' }[error.kind] ?? (error.status === 413 && 'refused');
      if (!problem) throw error;
      await note(t('The page of {url} was not sent: {message}', { url: entry.url, message: error.message }));
      noteOutcome(entry.key, { problem });
    }
  }
  const [link] = await rest(`links?on_conflict=user_id,raw_url&select=${COLUMNS}`, {
    method: 'POST',
    body: { raw_url: entry.url },
    headers: { Prefer: 'return=representation,resolution=merge-duplicates' },
  });
  return link;
}

async function savePage({ url }, html) {
  const [link] = await rest(`rpc/save_page?select=${COLUMNS}`, { method: 'POST', body: { url, html }, isPage: true });
  return link;
}

/** Sends everything of the signed-in account that can be sent. Stops at the first sign that the server is away. */
export async function sendAll() {
  const account = await readAccount();
  if (!account || account.hasEnded) return;
  let failures = 0;
  for (const entry of await listEntries()) {
    if (!belongsTo(entry, account) || entry.failure || isWatched(entry)) continue;
    try {
      if (!entry.isSaved && entry.title) await changeEntry(entry.key, addTitle);
      await sendEntry(entry.key);
      await note(t('Sent: {url}', { url: entry.url }));
    } catch (error) {
      if (error.kind === 'signed-out' || isAway(error)) return;
      // One page that the server fails at does not hold up the others.
      if (error.kind === 'unreachable' && (failures += 1) === MAX_FAILURES) return;
    }
  }
}

// The title that the tab showed, until the page's own title is known.
function addTitle(entry) {
  if (entry.changes.some(({ kind }) => kind === 'first-title')) return;
  entry.changes.unshift({ id: crypto.randomUUID(), kind: 'first-title', title: entry.title });
}

// No response at all, too many requests, or maintenance.
function isAway({ kind, status }) {
  return kind === 'unreachable' && (!status || status === 429 || status === 503);
}

/**
 * Returns whether an entry is about to be sent by the part of the extension that has made it: when its page is taken,
 * or when the server has read the page of its link.
 * @param {import('./queue-store.js').Entry} entry
 * @returns {boolean}
 */
export function isWatched({ isSaved, isTaking, isHeld, changes }) {
  return Boolean(isTaking || (isSaved && isHeld && !changes.length));
}

/** Tries again in a while, also after a restart of the browser. */
export async function retryLater() {
  await chrome.alarms.create(RETRY_ALARM, { delayInMinutes: RETRY_MINUTES });
}
