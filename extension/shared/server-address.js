// The address of a server as a user types it. This module does not use the DOM.

const PRIVATE_ADDRESS = /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[?::1|\[?f[cd])/i;
const PRIVATE_NAME = /\.(local|lan|home\.arpa)$/i;

/**
 * Returns the origin of a server. Without a scheme it is `https`, and `http` for hosts of a home network.
 * @param {string} text
 * @returns {string}
 * @throws {Error} with a message for the user
 */
export function parseServer(text) {
  const typed = text.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const host = typed.replace(/(?<!\[[^\]]*):.*$|[/?#].*$/, '');
  const isPrivate = PRIVATE_ADDRESS.test(host) || PRIVATE_NAME.test(host);
  const url = hasScheme ? typed : `${isPrivate ? 'http' : 'https'}://${typed}`;
  if (typed.length > 2000 || !/^https?:\/\/[^\s/?#]/i.test(url) || !URL.canParse(url)) {
    throw Error('This is not the address of a server. It looks like https://lectern.example.org');
  }
  return new URL(url).origin;
}
