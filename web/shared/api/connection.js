// Whether the server can be reached, as the requests of the page and the browser tell.

import { serverURL } from './server.js';

/** The pauses before the next attempts to reach the server. The last one repeats. */
const PAUSES_MS = [1_000, 3_000, 8_000, 20_000];

const events = new EventTarget();
let isLost = !navigator.onLine;
let lostAt = 0;
let attempts = 0;
let timer;

/** @returns {boolean} whether the last request got no response, or the browser has no network */
export function isOffline() {
  return isLost;
}

/** @param {(isOffline: boolean) => void} callback called when the connection was lost, and when it is back */
export function onConnectionChange(callback) {
  events.addEventListener('change', () => callback(isLost));
}

/**
 * To be called when a request was answered, whatever the answer.
 * @param {number} sentAt the time of `performance.now()`; an answer to what was sent before the connection was lost
 *   says nothing
 */
export function noteResponse(sentAt) {
  if (sentAt >= lostAt) change(false);
}

/** To be called when a request got no response. */
export function noteNoResponse() {
  change(true);
}

function change(lost) {
  if (lost === isLost) return;
  isLost = lost;
  if (lost) lostAt = performance.now();
  attempts = 0;
  clearTimeout(timer);
  if (isLost) probeLater();
  events.dispatchEvent(new Event('change'));
}

function probeLater() {
  timer = setTimeout(probe, PAUSES_MS[Math.min(attempts, PAUSES_MS.length - 1)]);
}

async function probe() {
  clearTimeout(timer);
  if (!isLost) return;
  attempts += 1;
  // Without a network, `online` starts the next attempt.
  if (!navigator.onLine) return;
  try {
    const sentAt = performance.now();
    await fetch(serverURL('/health'), { cache: 'no-store' });
    noteResponse(sentAt);
  } catch {
    probeLater();
  }
}

addEventListener('offline', noteNoResponse);
addEventListener('online', probe);
if (isLost) probeLater();
