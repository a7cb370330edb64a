// The requests of the extension's pages, by name; see `shared/ask.js`.

import { claimPairing, describeAccount, findServer, signIn, signOut, testConnection } from './account.js';
import { switchBadge } from './badge.js';
import { sendQueue } from './held-pages.js';
import { importBookmarks, importReadingList, listBookmarkFolders } from './imports.js';
import { deleteEntry, changeEntry, listEntries } from './queue-store.js';
import { keepCopy, saveTab } from './saved-tabs.js';
import { describeOutcome, edit, undo } from './saving.js';
import { belongsTo, isWatched } from './sending.js';
import { rest, sessionForPage } from './server.js';
import { changeSettings, clearLog, readAccount, readLog, readSettings } from './storage.js';

const HANDLERS = {
  account: describeAccount,
  'find-server': async ({ address }) => (await findServer(address)).server,
  async 'sign-in'(values) {
    await signIn(values);
    sendQueue();
  },
  async pair(values) {
    await claimPairing(values);
    sendQueue();
  },
  'sign-out': signOut,
  session: sessionForPage,
  test: testConnection,

  'save-tab': ({ tab, policy }) => saveTab(tab, policy),
  'keep-copy': keepCopy,
  edit: ({ key, linkId, changes, page }) => edit(key, linkId, changes, page),
  outcome: describeOutcome,
  undo,
  suggest: ({ prefix }) => rest('rpc/suggest', { method: 'POST', body: { prefix, limit: 8 } }),
  folders: ({ linkId }) => readFolders(linkId),

  settings: readSettings,
  'change-settings': ({ changes }) => changeSettings(changes),
  'switch-badge': ({ isWanted }) => switchBadge(isWanted),

  queue: describeQueue,
  'send-queue': sendQueue,
  'retry-entry': async ({ key }) => {
    await changeEntry(key, (entry) => { delete entry.failure; });
    await sendQueue();
  },
  'drop-entry': ({ key }) => deleteEntry(key),
  log: readLog,
  'clear-log': clearLog,

  'import-reading-list': importReadingList,
  'bookmark-folders': listBookmarkFolders,
  'import-bookmarks': ({ folders }) => importBookmarks(folders),
};

/**
 * Answers a message of a page of the extension.
 * @param {{name: string}} message
 * @param {chrome.runtime.MessageSender} sender
 * @param {(answer: {value?: any, error?: {message: string, kind?: string}}) => void} reply
 * @returns {boolean} whether the reply comes later
 */
export function answer({ name, ...values }, sender, reply) {
  // Content scripts run beside pages that fight; they ask for nothing.
  const isOwn = sender.id === chrome.runtime.id && sender.url?.startsWith(chrome.runtime.getURL(''));
  if (!isOwn || !Object.hasOwn(HANDLERS, name)) return false;
  Promise.resolve().then(() => HANDLERS[name](values)).then(
    (value) => reply({ value: value ?? null }),
    (error) => reply({ error: { message: error.message, kind: error.kind } }),
  );
  return true;
}

async function readFolders(linkId) {
  const [collections, [link]] = await Promise.all([
    rest('collections?select=name&query=is.null&order=name&limit=500'),
    linkId ? rest(`links?id=eq.${linkId}&select=title,list,tags(name),collections(name),notes(body)`) : [],
  ]);
  return {
    collections: collections.map(({ name }) => name),
    title: link?.title ?? '',
    list: link?.list ?? 'read',
    tags: link?.tags.map(({ name }) => name) ?? [],
    inCollections: link?.collections.map(({ name }) => name) ?? [],
    note: [link?.notes ?? []].flat()[0]?.body ?? '',
  };
}

async function describeQueue() {
  const account = await readAccount();
  const waiting = (await listEntries()).filter((entry) => !isWatched(entry));
  return waiting.map((entry) => {
    const { key, url, title, at, failure } = entry;
    return { key, url, title, at, failure, isOthers: Boolean(account) && !belongsTo(entry, account) };
  });
}
