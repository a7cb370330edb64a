// The queue in IndexedDB. It survives a restart of the browser. Pages are kept apart from their entries, so that
// listing the queue reads no pages.

/**
 * One page that is saved, with what the user changed since.
 * @typedef {object} Entry
 * @property {string} key
 * @property {string} account server and user that it belongs to
 * @property {string} url
 * @property {string} title
 * @property {string} at ISO 8601
 * @property {boolean} isSaved whether the server has the link
 * @property {boolean} [isTaking] whether the page of the tab is still being taken
 * @property {boolean} hasPage whether a page is kept that is to be sent
 * @property {boolean} [isHeld] the page is sent only if the server finds no article
 * @property {string} [linkId]
 * @property {string} [sentAt] when the server got the link, ISO 8601
 * @property {Change[]} changes in order
 * @property {string} [failure] why the server refused it; it is tried again when the user wants it
 *
 * @typedef {{id: string, kind: string} & Record<string, any>} Change see `background/changes.js`
 */

/** @type {Promise<IDBDatabase> | undefined} */
let opened;

/** Makes the next transaction open the database again. */
function forget() {
  opened = undefined;
}

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('queue', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('entries', { keyPath: 'key' }).createIndex('at', 'at');
      request.result.createObjectStore('pages');
    };
    request.onsuccess = () => {
      const database = request.result;
      // The browser closes it when the user removes the data of the extension, and when the disk fails.
      database.onclose = forget;
      database.onversionchange = () => {
        database.close();
        forget();
      };
      resolve(database);
    };
    request.onerror = () => {
      forget();
      reject(request.error);
    };
  });
  return opened;
}

/**
 * Runs one transaction.
 * @template T
 * @param {(entries: IDBObjectStore, pages: IDBObjectStore) => IDBRequest | void} work
 * @param {IDBTransactionMode} [mode]
 * @returns {Promise<any>} the result of the request that `work` returned, once everything is on disk
 */
async function transact(work, mode = 'readwrite') {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(['entries', 'pages'], mode);
    const request = work(transaction.objectStore('entries'), transaction.objectStore('pages'));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

/**
 * @param {Entry} entry
 * @param {string} [page] HTML
 */
export async function addEntry(entry, page) {
  await transact((entries, pages) => {
    entries.put(entry);
    if (page !== undefined) pages.put(page, entry.key);
  });
}

/** @returns {Promise<Entry[]>} the oldest first */
export function listEntries() {
  return transact((entries) => entries.index('at').getAll(), 'readonly');
}

/** @returns {Promise<Entry | undefined>} */
export function readEntry(key) {
  return transact((entries) => entries.get(key), 'readonly');
}

/** @returns {Promise<string | undefined>} */
export function readPage(key) {
  return transact((entries, pages) => pages.get(key), 'readonly');
}

/**
 * Changes an entry that may be gone by now. An entry with nothing left to do is deleted.
 * @param {string} key
 * @param {(entry: Entry) => void} change
 * @param {{page?: string, otherwise?: Entry}} [more] HTML that is kept with the entry, and the entry to begin with if
 *   there is none
 * @returns {Promise<Entry | undefined>} as it is stored now
 */
export async function changeEntry(key, change, { page, otherwise } = {}) {
  let entry;
  await transact((entries, pages) => {
    entries.get(key).onsuccess = ({ target }) => {
      entry = target.result ?? otherwise;
      if (!entry) return;
      if (page !== undefined) pages.put(page, key);
      change(entry);
      if (!entry.hasPage) pages.delete(key);
      const isDone = entry.isSaved && !entry.isTaking && !entry.hasPage && !entry.changes.length;
      if (isDone) entries.delete(key);
      else entries.put(entry);
    };
  });
  return entry;
}

/** @param {string} key */
export async function deleteEntry(key) {
  await transact((entries, pages) => {
    entries.delete(key);
    pages.delete(key);
  });
}

/** When this service worker was started, ISO 8601. */
const STARTED_AT = new Date().toISOString();

/** Forgets that pages were being taken when an earlier service worker was stopped. */
export async function forgetTakings() {
  const taking = (await listEntries()).filter(({ isTaking, at }) => isTaking && at < STARTED_AT);
  for (const { key } of taking) await changeEntry(key, (entry) => { entry.isTaking = false; });
}
