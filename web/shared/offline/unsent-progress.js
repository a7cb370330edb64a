// Reading progress of a page that the user has left. Browsers may drop the request that such a page sends, so the
// progress is kept in localStorage until the server has answered or the app is opened again.

import { currentSession } from '../api/session.js';
import { change } from './changes.js';

const KEY = 'left-progress';

/**
 * @param {object} row of reading progress
 * @returns {string | null} for `forgetUnsentProgress`; null if nothing was kept
 */
export function keepUnsentProgress(row) {
  const { user } = currentSession() ?? {};
  // A page is left by signing out, too.
  if (!user) return null;
  const kept = JSON.stringify({ user, row, actedAt: new Date().toISOString() });
  try {
    localStorage.setItem(KEY, kept);
  } catch {
    // The storage is full: only the request is left.
  }
  return kept;
}

/**
 * To be called when the server has answered. Does nothing if other progress was kept since.
 * @param {string | null} kept
 */
export function forgetUnsentProgress(kept) {
  if (kept && localStorage.getItem(KEY) === kept) localStorage.removeItem(KEY);
}

/** Sends what was kept. The server drops it if it has newer progress, and refuses it if the article is gone. */
export async function sendUnsentProgress() {
  const kept = localStorage.getItem(KEY);
  const { user, row, actedAt } = JSON.parse(kept) ?? {};
  if (!row || user !== currentSession()?.user) return;
  await change({ kind: 'progress', linkId: row.link_id, row, actedAt }).finally(() => forgetUnsentProgress(kept));
}
