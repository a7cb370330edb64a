// The database of the signed-in user.

import { currentSession } from '../api/session.js';
import { transact } from './database.js';

/**
 * Runs one transaction in the database of the signed-in user; see `transact`.
 * @template T
 * @param {string | string[]} stores
 * @param {'readonly' | 'readwrite'} mode
 * @param {(...stores: IDBObjectStore[]) => IDBRequest<T> | T} work
 * @returns {Promise<T>}
 * @throws {Error} if nobody is signed in, or the browser stores nothing
 */
export async function transactOwn(stores, mode, work) {
  const user = currentSession()?.user;
  if (!user) throw Error('Nobody is signed in.');
  return transact(user, stores, mode, work);
}
