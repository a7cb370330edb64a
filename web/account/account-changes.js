// Changes of the account that affect several sections: a new password ends sessions, and every change is an
// activity.

const listeners = [];

/**
 * Calls a function after each change of the account.
 * @param {() => void} listener
 */
export function onAccountChange(listener) {
  listeners.push(listener);
}

/** Calls the listeners after a change of the account. */
export function notifyAccountChange() {
  for (const listener of listeners) listener();
}
