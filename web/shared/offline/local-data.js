// What this browser keeps of a user beside the session.

import { removeDatabase } from './database.js';

/** The cache of the service worker; see `worker/pictures.js`. */
const PICTURE_CACHE = 'pictures';

/**
 * Removes everything that this browser keeps of a user.
 * @param {string} user id
 */
export async function removeLocalData(user) {
  await Promise.allSettled([globalThis.caches?.delete(PICTURE_CACHE), removeDatabase(user)]);
}
