// Saves a page: the entry goes into the queue first, so that nothing is lost whatever happens next.

import { PAGE_PROBLEMS, isNew, ownTitle } from '../shared/texts.js';
import { policyFor } from '../shared/policy.js';
import { t } from '../shared/words.js';
import { refreshBadges } from './badge.js';
import { capturePage } from './capturing.js';
import { watchHeld } from './held-pages.js';
import { noteOutcome, outcomeOf } from './outcomes.js';
import { addEntry, changeEntry, deleteEntry, listEntries, readEntry } from './queue-store.js';
import { accountName, retryLater, sendAll, sendEntry, whenSent } from './sending.js';
import { failure, rest } from './server.js';
import { note, readAccount, readSettings } from './storage.js';

/** A link is sent without its page when the page takes longer than this to be taken, and the page follows. */
const PATIENCE_MS = 100;

/**
 * What the popup is told of a save.
 * @typedef {object} Saved
 * @property {string} key of the entry
 * @property {object | null} link null while it waits
 * @property {string} [waiting] why it waits
 * @property {string} [waitingKind] kind of that failure
 */

/** The server has read a page that was sent within this many milliseconds, unless it is very busy. */
const READING_MS = 20_000;

/** Captures that still run, by the key of their entry. */
const captures = new Map();

/**
 * Saves the page of a tab.
 * @param {{id?: number, url: string, title?: string}} tab
 * @param {import('../shared/policy.js').Policy} [policy] instead of the one that the settings name
 * @param {import('./queue-store.js').Change[]} [changes]
 * @returns {Promise<Saved>}
 */
export async function savePageOfTab({ id, url, title = '' }, policy, changes = []) {
  const entry = await makeEntry(url, title);
  entry.changes.push(...changes);
  const wanted = policy ?? policyFor(url, await readSettings());
  if (wanted === 'never' || id === undefined) {
    await addEntry(entry);
    return sendSaved(entry);
  }
  const stored = addEntry({ ...entry, isTaking: true });
  const capture = capturePage(id).then(async (page) => {
    await stored;
    return keepPage(entry, page, wanted);
  });
  captures.set(entry.key, capture);
  capture.finally(() => captures.delete(entry.key)).catch(() => {});
  if (wanted === 'always') await Promise.race([capture, patience()]);
  await stored;
  const saved = await sendSaved(entry);
  // The rest happens while the popup shows that the link is saved.
  capture.then(() => followUp(entry.key))
    .catch(({ message }) => note(t('The page of {url} was not sent: {message}', { url, message })));
  return saved;
}

/**
 * Saves an address without its page.
 * @param {string} url
 * @param {string} [title]
 * @param {import('./queue-store.js').Change[]} [changes]
 * @returns {Promise<Saved>}
 */
export async function saveAddress(url, title = '', changes = []) {
  const entry = await makeEntry(url, title);
  entry.changes.push(...changes);
  await addEntry(entry);
  return sendSaved(entry);
}

/**
 * Saves addresses without their pages. All of them are kept on this device before the first is sent.
 * @param {{url: string, title?: string}[]} pages
 * @returns {Promise<{waiting: number, refused: number}>} how many wait to be sent, and how many the server refused
 */
export async function saveAddresses(pages) {
  const entries = await Promise.all(pages.map(({ url, title }) => makeEntry(url, title)));
  for (const entry of entries) await addEntry(entry);
  // The browser may stop the service worker before all are sent.
  await retryLater();
  await sendAll();
  refreshBadges().catch(() => {});
  const keys = new Set(entries.map(({ key }) => key));
  const left = (await listEntries()).filter(({ key, isSaved }) => keys.has(key) && !isSaved);
  const refused = left.filter((entry) => entry.failure).length;
  return { waiting: left.length - refused, refused };
}

async function makeEntry(url, title = '') {
  const account = await readAccount();
  if (!account) throw failure('signed-out', t('Enter the address of your server and sign in, then save again.'));
  if (!url) throw failure('unsavable', t('The browser hides this page from extensions, even its address.'));
  if (!/^(https?|ftp|file|chrome|edge):/i.test(url)) throw failure('unsavable', t('This page cannot be saved.'));
  return {
    key: crypto.randomUUID(), account: accountName(account), url, title: ownTitle(title, url),
    at: new Date().toISOString(), isSaved: false, hasPage: false, changes: [],
  };
}

function patience() {
  return new Promise((resolve) => { setTimeout(resolve, PATIENCE_MS); });
}

async function keepPage(entry, { html, problem, isSignedIn }, policy) {
  const isHeld = policy === 'login' && !isSignedIn;
  await changeEntry(entry.key, (stored) => {
    stored.isTaking = false;
    if (html === undefined) return;
    Object.assign(stored, { hasPage: true, isHeld });
  }, { page: html });
  const isLocal = html === undefined && /^file:/i.test(entry.url);
  if (problem) noteOutcome(entry.key, { problem: isLocal ? 'local' : problem });
}

async function sendSaved(entry) {
  try {
    const link = await sendEntry(entry.key);
    refreshBadges().catch(() => {});
    note(t('Saved: {url}', { url: entry.url }));
    if (link && isNew(link) && entry.title && !link.title) {
      edit(entry.key, link.id, [{ kind: 'first-title', title: entry.title }], entry).catch(() => {});
    }
    return { key: entry.key, link };
  } catch (error) {
    if (error.kind === 'refused' || error.kind === 'missing') throw error;
    await note(t('Waits: {url}: {message}', { url: entry.url, message: error.message }));
    return { key: entry.key, link: null, waiting: error.message, waitingKind: error.kind };
  }
}

async function followUp(key) {
  const entry = await readEntry(key);
  if (!entry?.hasPage || !entry.linkId) return;
  if (entry.isHeld) await watchHeld(key);
  else await sendEntry(key);
}

/**
 * Returns what the popup says about the page of a save, once that is known.
 * @param {{key: string, linkId?: string}} values
 * @returns {Promise<{problem?: string, isTaking: boolean, isBusy: boolean, article?: object, state?: string,
 *   reason?: string, message?: string, copy?: {isBusy?: boolean, text?: string}}>}
 */
export async function describeOutcome({ key, linkId }) {
  const entry = await readEntry(key);
  const { problem, sentAt, copy } = outcomeOf(key);
  const isTaking = captures.has(key);
  const isSending = isTaking || Boolean(entry?.hasPage);
  const [link] = linkId ? await rest(
    `links?id=eq.${linkId}&select=state,reason,reason_message,articles(source,source_reason)`) : [];
  const [article] = [link?.articles ?? []].flat();
  // The fetch that was running when the page was sent may still fail.
  const isBeingRead = !article && Date.now() - sentAt < READING_MS;
  const isBusy = isSending || isBeingRead || link?.state === 'pending';
  return {
    problem: problem && PAGE_PROBLEMS[problem],
    isTaking,
    isBusy,
    article,
    state: link?.state,
    reason: link?.reason,
    message: link?.reason_message,
    copy,
  };
}

/**
 * Changes a saved page. What cannot be sent now waits in the queue.
 * @param {string} key of the entry, which may be gone by now
 * @param {string | undefined} linkId
 * @param {object[]} changes without ids
 * @param {{url: string, title?: string}} page
 */
export async function edit(key, linkId, changes, { url, title }) {
  const numbered = changes.map((change) => ({ ...change, id: crypto.randomUUID() }));
  const otherwise = { ...await makeEntry(url, title), key, linkId, isSaved: true };
  await changeEntry(key, (entry) => { entry.changes.push(...numbered); }, { otherwise });
  await sendEntry(key);
}

/**
 * Takes a save back: deletes a link that was new, and what waits.
 * @param {{key: string, linkId?: string}} values
 */
export async function undo({ key, linkId }) {
  noteOutcome(key, { isUndone: true });
  await deleteEntry(key);
  await whenSent(key);
  // What waited may have been sent since.
  const { link } = outcomeOf(key);
  const id = linkId ?? (link && isNew(link) ? link.id : undefined);
  if (id) await rest(`links?id=eq.${id}`, { method: 'DELETE' });
  refreshBadges().catch(() => {});
}
