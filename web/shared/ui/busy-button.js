// Buttons that start asynchronous work.

import { showError } from './toast.js';

/**
 * Returns a click handler that marks its button as busy while `work` runs, ignores further clicks until then,
 * and shows errors in a toast. The button gets `aria-disabled` instead of `disabled`, which would take the
 * keyboard focus away.
 * @param {() => Promise<any>} work
 * @returns {(event: Event) => Promise<void>}
 */
export function busyWhile(work) {
  return async ({ currentTarget: button }) => {
    if (button.ariaDisabled) return;
    button.ariaDisabled = 'true';
    try {
      await work();
    } catch (error) {
      showError(error);
    } finally {
      button.ariaDisabled = null;
    }
  };
}
