// The debug log of the pages: what they did and what failed, for a report. It is off until the user wants it, and stays
// in this browser. `first-paint.js` loads this module where the log is on; signing out removes the log.

import { addLine, hideSecrets, placeOf } from './debug-lines.js';

/** The key of the log: its lines, the newest last. Without it, nothing is logged. */
const KEY = 'debug-log';

let isWatching = false;

/** @returns {string[] | undefined} the lines, or undefined while the log is off */
export function debugLog() {
  return JSON.parse(localStorage.getItem(KEY)) ?? undefined;
}

/** Starts a log without lines. */
export function startDebugLog() {
  localStorage.setItem(KEY, '[]');
  watch();
}

/** Ends the log and deletes its lines. */
export function endDebugLog() {
  localStorage.removeItem(KEY);
}

/**
 * Adds what happened, unless the log is off.
 * @param {string} text
 */
function note(text) {
  // Another tab may have ended it, or signed out.
  const lines = debugLog();
  if (!lines) return;
  try {
    localStorage.setItem(KEY, JSON.stringify(addLine(lines, `${new Date().toISOString()} ${hideSecrets(text)}`)));
  } catch {
    // The storage is full: the older lines are enough.
  }
}

function watch() {
  if (isWatching) return;
  isWatching = true;
  note(`page ${placeOf(location.href)} ${innerWidth}×${innerHeight} ${navigator.onLine ? 'online' : 'offline'}`);
  addEventListener('error', ({ message, error }) => note(`error ${error?.stack ?? message}`));
  addEventListener('unhandledrejection', ({ reason }) => note(`rejection ${reason?.stack ?? reason}`));
  addEventListener('securitypolicyviolation', ({ violatedDirective }) => note(`policy ${violatedDirective}`));
  addEventListener('hashchange', () => note(`place ${placeOf(location.href)}`));
  for (const type of ['online', 'offline', 'pagehide']) addEventListener(type, () => note(type));
  document.addEventListener('visibilitychange', () => note(document.visibilityState));
  const requests = new PerformanceObserver((list) => list.getEntries().forEach(noteRequest));
  requests.observe({ type: 'resource', buffered: true });
  addEventListener('DOMContentLoaded', watchMessages);
  if (document.readyState !== 'loading') watchMessages();
}

// Requests of scripts, and files that could not be had.
function noteRequest({ name, initiatorType, responseStatus = '', startTime, duration }) {
  if (initiatorType !== 'fetch' && !(responseStatus >= 400)) return;
  note(`request ${placeOf(name)} ${responseStatus} at ${Math.round(startTime)} ms, ${Math.round(duration)} ms`);
}

// Messages about failures. Others may name links of the user.
function watchMessages() {
  const toast = document.getElementById('toast');
  if (!toast) return;
  new MutationObserver(() => {
    const { severity } = toast.dataset;
    if (toast.className && severity !== 'info') note(`${severity}: ${toast.querySelector('span').textContent}`);
  }).observe(toast, { attributeFilter: ['class'] });
}

if (debugLog()) watch();
