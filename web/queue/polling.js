// Refreshes the sections of the page: often while jobs run, seldom otherwise, and never while the page is
// hidden.

const ACTIVE_INTERVAL_MS = 3_000;
const IDLE_INTERVAL_MS = 15_000;

/**
 * The interval is at least this many times the duration of the last refresh, which bounds the load on the
 * server.
 */
const INTERVAL_PER_DURATION = 10;

/** @typedef {() => Promise<boolean>} Refresh refreshes a section and returns whether it is active */

/** @type {Refresh[]} */
let sections = [];
let timer;

/** Ends when no refresh is in progress. */
let lastRefresh = Promise.resolve();

/**
 * Starts to refresh sections.
 * @param {Refresh[]} refreshFunctions
 */
export function startPolling(refreshFunctions) {
  sections = refreshFunctions;
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) clearTimeout(timer);
    else refreshNow();
  });
  refreshNow();
}

/**
 * Refreshes all sections now. If a refresh is in progress, another one follows it, as the first may have
 * missed a change.
 * @returns {Promise<void>} ends after that refresh
 */
export function refreshNow() {
  lastRefresh = lastRefresh.then(refreshAll);
  return lastRefresh;
}

async function refreshAll() {
  clearTimeout(timer);
  const start = performance.now();
  let isActive = false;
  for (const refresh of sections) if (await refresh()) isActive = true;
  if (document.hidden) return;
  const interval = isActive ? ACTIVE_INTERVAL_MS : IDLE_INTERVAL_MS;
  timer = setTimeout(refreshNow, Math.max(interval, INTERVAL_PER_DURATION * (performance.now() - start)));
}
