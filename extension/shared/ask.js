// Requests of the extension's pages to its service worker, which alone talks to the server.

/**
 * Sends one request to the service worker and returns its answer.
 * @param {string} name of a handler in `background/messages.js`
 * @param {object} [values]
 * @returns {Promise<any>}
 * @throws {Error} with a message for the user, and the `kind` of the failure
 */
export async function ask(name, values = {}) {
  const answer = await chrome.runtime.sendMessage({ name, ...values });
  if (answer?.error) throw Object.assign(Error(answer.error.message), { kind: answer.error.kind });
  return answer?.value;
}
