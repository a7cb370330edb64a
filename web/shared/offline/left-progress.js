// Reading progress of a page that was left. Browsers may drop the request that such a page sends, so the progress stays in
// the storage, which is written at once, until the server has answered or the app is opened again.

import { currentSession } from '../api/session.js';
import { change } from './changes.js';

const KEY = 'left-progress';

/** @param {object} row of reading progress */
export function keepLeftProgress(row) {
  const { user } = currentSession() ?? {};
  // A page is left by signing out, too.
  if (!user) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ user, row, actedAt: new Date().toISOString() }));
  } catch {
    // The storage is full: only the request is left.
  }
}

/** To be called when the server has the progress. */
export function forgetLeftProgress() {
  localStorage.removeItem(KEY);
}

/** Sends what was kept. The server drops it if it has newer progress. */
export async function sendLeftProgress() {
  const kept = JSON.parse(localStorage.getItem(KEY));
  if (kept?.user !== currentSession()?.user) return;
  const { row, actedAt } = kept;
  await change({ kind: 'progress', linkId: row.link_id, row, actedAt });
  forgetLeftProgress();
}
