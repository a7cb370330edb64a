// Restores a link whose deletion was sent or waits to be sent.

import { cancelChange } from '../shared/offline/waiting-changes.js';
import { restoreLinks } from './bulk-changes.js';

/**
 * Restores a link.
 * @param {string} id
 * @param {Promise<boolean> | undefined} isDeleted of a deletion that is being sent: whether the server has done it
 */
export async function undoDeletion(id, isDeleted) {
  if (await isDeleted === false) return;
  if (!await cancelChange(id, ({ kind }) => kind === 'delete')) await restoreLinks([id]);
}
