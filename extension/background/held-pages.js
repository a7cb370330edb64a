// Pages that are sent only if the server finds no article at their address: it may need a login that the browser has.

import { HELD_ALARM_MINUTES, HELD_PAUSES_MS } from '../shared/timing.js';
import { t } from '../shared/words.js';
import { changeEntry, listEntries, readEntry } from './queue-store.js';
import { belongsTo, sendAll, sendEntry } from './sending.js';
import { rest } from './server.js';
import { note, readAccount } from './storage.js';

/** The alarm that looks again after the service worker was stopped. */
export const HELD_ALARM = 'held';

/** Milliseconds after a link was sent until its held page is dropped, if the server has not read the link by then. */
const MAX_AGE_MS = 24 * 3_600_000;

/**
 * Waits until the server has read the page of a link; then sends the held page or drops it.
 * @param {string} key
 */
export async function watchHeld(key) {
  await chrome.alarms.create(HELD_ALARM, { delayInMinutes: HELD_ALARM_MINUTES });
  for (const pause of HELD_PAUSES_MS) {
    if (await settle(key)) return;
    await new Promise((resolve) => { setTimeout(resolve, pause); });
  }
  await settle(key);
}

/** Sends everything that waits. Links that were saved without a network have their pages held from now on. */
export async function sendQueue() {
  await sendAll();
  await settleAll();
}

/** Looks once at every held page of the signed-in account. */
export async function settleAll() {
  const account = await readAccount();
  if (!account) return;
  const listHeld = async () => (await listEntries()).filter((entry) => (
    entry.isSaved && entry.isHeld && belongsTo(entry, account)));
  for (const { key } of await listHeld()) await settle(key).catch(() => {});
  if ((await listHeld()).length) await chrome.alarms.create(HELD_ALARM, { delayInMinutes: HELD_ALARM_MINUTES });
}

// Returns whether the page is no longer held.
async function settle(key) {
  const entry = await readEntry(key);
  if (!entry?.isHeld) return true;
  if (!entry.linkId) return false;
  const [link] = await rest(`links?id=eq.${entry.linkId}&select=state,reason`);
  const isOld = Date.now() - Date.parse(entry.sentAt ?? entry.at) > MAX_AGE_MS;
  if (link?.state === 'pending' && !isOld) return false;
  const isNeeded = link && !isOld && (link.state === 'failed' || Boolean(link.reason));
  let isMine = false;
  await changeEntry(key, (stored) => {
    // Another look may have come to the same conclusion.
    isMine = Boolean(stored.isHeld);
    if (isMine) Object.assign(stored, { isHeld: false, hasPage: Boolean(isNeeded) });
  });
  if (isMine && isNeeded) {
    const values = { reason: String(link.reason), url: entry.url };
    await note(t('The server found no article ({reason}), so the page is sent: {url}', values));
    await sendEntry(key);
  }
  return true;
}
