// What became of the pages of recent saves, for the popup. It is forgotten with the service worker.

/** The most saves that are remembered. */
const MAX_KEPT = 500;

/**
 * By the key of the entry.
 * @type {Map<string, {problem?: string, sentAt?: number, link?: object, copy?: object, isUndone?: boolean}>}
 */
const outcomes = new Map();

/**
 * @param {string} key
 * @param {{problem?: string, sentAt?: number, link?: object, copy?: {isBusy?: boolean, text?: string},
 *   isUndone?: boolean}} outcome a key of PAGE_PROBLEMS; when the page was sent, in milliseconds since the epoch; the
 *   link as the server answered it; what became of the copy; whether the save was taken back
 */
export function noteOutcome(key, outcome) {
  outcomes.set(key, { ...outcomes.get(key), ...outcome });
  if (outcomes.size > MAX_KEPT) outcomes.delete(outcomes.keys().next().value);
}

/**
 * @param {string} key
 * @returns {{problem?: string, sentAt: number, link?: object, copy?: object, isUndone?: boolean}}
 */
export function outcomeOf(key) {
  return { sentAt: 0, ...outcomes.get(key) };
}
