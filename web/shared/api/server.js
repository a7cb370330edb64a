// The server that the pages talk to. It imports nothing, because the first view waits for it.

/** Empty: the server that the page is from. */
let origin = '';

/**
 * Has the pages talk to another server, as the page of the browser extension does. To be called before the other
 * modules of the app are loaded.
 * @param {string} server origin
 */
export function connectTo(server) {
  origin = server;
}

/** @returns {boolean} whether the page is part of the browser extension, and not from the server */
export function isElsewhere() {
  return origin !== '';
}

/**
 * @param {string} path absolute
 * @returns {string} its URL on the server
 */
export function serverURL(path) {
  return origin + path;
}
