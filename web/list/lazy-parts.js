// Parts of the page that are loaded when they are needed first.

import { MESSAGES, showMessage } from '../shared/ui/messages.js';

/**
 * Returns a function that makes a part on its first use. After a failure, the next use tries again.
 * @template T
 * @param {() => Promise<T>} make
 * @returns {() => Promise<T>}
 */
export function once(make) {
  let part;
  return () => {
    part ??= make().catch((error) => {
      part = undefined;
      throw error;
    });
    return part;
  };
}

/**
 * As `once`, but a failure is told to the user.
 * @template T
 * @param {() => Promise<T>} make
 * @returns {() => Promise<T>}
 */
export function onceWanted(make) {
  return once(async () => {
    try {
      return await make();
    } catch (error) {
      showMessage(MESSAGES.partNotLoaded);
      throw error;
    }
  });
}

/** @returns {Promise<void>} resolves when the browser has nothing more urgent to do, or half a second later */
export function idle() {
  return new Promise((resolve) => {
    if (globalThis.requestIdleCallback) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 200);
  });
}
