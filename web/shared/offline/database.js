// The database in the browser with what is kept for use without a network. Each user has one of their own.

import { failure, MESSAGES } from '../ui/messages.js';

const PREFIX = 'lectern-';
const VERSION = 1;

/** User id → the open database, or the promise of it. */
const databases = new Map();

/**
 * Runs one transaction in the database of a user.
 * @template T
 * @param {string} user id
 * @param {string | string[]} stores `links`, `articles`, `changes` or `values`
 * @param {'readonly' | 'readwrite'} mode
 * @param {(...stores: IDBObjectStore[]) => IDBRequest<T> | T} work gets the stores; it must not wait for
 *   anything but their requests
 * @returns {Promise<T>} what `work` returns, or the result of the request that it returns
 */
export async function transact(user, stores, mode, work) {
  const names = [stores].flat();
  const transaction = (await openDatabase(user)).transaction(names, mode);
  const returned = work(...names.map((name) => transaction.objectStore(name)));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(returned instanceof IDBRequest ? returned.result : returned);
    transaction.onabort = () => reject(transaction.error ?? failure(MESSAGES.notStored));
  });
}

/**
 * Removes the database of a user.
 * @param {string} user id
 */
export async function removeDatabase(user) {
  const open = databases.get(user);
  databases.delete(user);
  (await open?.catch(() => null))?.close();
  await finished(indexedDB.deleteDatabase(PREFIX + user));
}

/** @returns {Promise<string[]>} the ids of the users of whom this browser keeps something, where it can tell */
export async function usersWithDatabases() {
  const all = await indexedDB.databases?.() ?? [];
  return all.filter(({ name }) => name.startsWith(PREFIX)).map(({ name }) => name.slice(PREFIX.length));
}

function openDatabase(user) {
  if (!databases.has(user)) {
    const opening = open(user);
    databases.set(user, opening);
    opening.catch(() => databases.delete(user));
  }
  return databases.get(user);
}

async function open(user) {
  const request = indexedDB.open(PREFIX + user, VERSION);
  request.onupgradeneeded = () => createStores(request.result);
  const database = await finished(request);
  // Another tab has signed out.
  database.onversionchange = () => {
    database.close();
    databases.delete(user);
  };
  database.onclose = () => databases.delete(user);
  return database;
}

function createStores(database) {
  database.createObjectStore('links', { keyPath: 'id' }).createIndex('order', ['list', 'updated_at', 'id']);
  database.createObjectStore('articles', { keyPath: 'id' });
  database.createObjectStore('changes', { keyPath: 'id', autoIncrement: true });
  database.createObjectStore('values');
}

function finished(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    // The database is removed as soon as the last tab has closed it.
    request.onblocked = () => resolve();
  });
}
