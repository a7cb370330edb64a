// The server that the pages talk to. It imports nothing, because the first view waits for it.

/** The path that the server is published under; empty at the root of a host. */
const ROOT = new URL('../..', import.meta.url).pathname.slice(0, -1);

/** Empty: the server that the page is from. */
let elsewhere = '';

/**
 * Has the pages talk to another server, as the page of the browser extension does. To be called before the other
 * modules of the app are loaded.
 * @param {string} server address without a slash at the end
 */
export function connectTo(server) {
  elsewhere = server;
}

/** @returns {boolean} whether the page is part of the browser extension, and not from the server */
export function isElsewhere() {
  return elsewhere !== '';
}

/**
 * @param {string} path absolute, as the server knows it
 * @returns {string} its URL, which may be relative to the host of the page
 */
export function serverURL(path) {
  return (elsewhere || ROOT) + path;
}

/** @returns {string} the address of the server, without a slash at the end, as apps and other pages need it */
export function serverAddress() {
  return elsewhere || location.origin + ROOT;
}
