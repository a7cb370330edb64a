// What this browser keeps of a user beside the session.

import { removeDatabase, transact, usersWithDatabases } from './database.js';

/** The cache of the service worker; see `worker/pictures.js`. */
export const PICTURE_CACHE = 'pictures';

/**
 * Removes everything that this browser keeps of a user.
 * @param {string} user id
 */
export async function removeLocalData(user) {
  await Promise.allSettled([globalThis.caches?.delete(PICTURE_CACHE), removeDatabase(user)]);
}

/**
 * Removes what this browser keeps of a user but for the changes that wait to be sent, as the user has not signed out.
 * @param {string} user id
 */
export async function removeCopiesOf(user) {
  await globalThis.caches?.delete(PICTURE_CACHE);
  await transact(user, ['links', 'articles'], 'readwrite', (links, articles) => {
    links.clear();
    articles.clear();
  });
}

/**
 * Removes what is left of other users, whose sessions have ended by themselves.
 * @param {string} user id of the signed-in user
 */
export async function removeDataOfOthers(user) {
  const others = (await usersWithDatabases()).filter((each) => each !== user);
  await Promise.all(others.map(removeLocalData));
}
