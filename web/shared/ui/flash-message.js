// A message that one page leaves for the next page in this tab.

const KEY = 'flash-message';

/**
 * Leaves a message for the next page.
 * @param {string} message
 */
export function setFlashMessage(message) {
  sessionStorage.setItem(KEY, message);
}

/**
 * Returns the message of the previous page and removes it.
 * @returns {string | null}
 */
export function takeFlashMessage() {
  const message = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return message;
}
