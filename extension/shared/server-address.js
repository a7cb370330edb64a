// The address of a server as a user types it. This module does not use the DOM.

import { t } from './words.js';

const PRIVATE_ADDRESS = /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[?::1|\[?f[cd])/i;
const PRIVATE_NAME = /\.(local|lan|home\.arpa)$/i;

/** A server that is published deeper is not found. */
const MAX_FOLDERS = 3;

/**
 * Returns the addresses where a server may be, without a slash at the end: the one that was typed, which may be that of
 * a page, and those above it. Without a scheme it is `https`, and `http` for hosts of a home network.
 * @param {string} text
 * @returns {string[]} the longest first; the last is the origin
 * @throws {Error} with a message for the user
 */
export function parseServers(text) {
  const typed = text.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const host = typed.replace(/(?<!\[[^\]]*):.*$|[/?#].*$/, '');
  const isPrivate = PRIVATE_ADDRESS.test(host) || PRIVATE_NAME.test(host);
  const url = hasScheme ? typed : `${isPrivate ? 'http' : 'https'}://${typed}`;
  if (typed.length > 2000 || !/^https?:\/\/[^\s/?#]/i.test(url) || !URL.canParse(url)) {
    throw Error(t('This is not the address of a server. It should look like https://lectern.example.org'));
  }
  const { origin, pathname } = new URL(url);
  const names = pathname.split('/').filter(Boolean).slice(0, MAX_FOLDERS);
  return [...names.map((_, index) => `${origin}/${names.slice(0, names.length - index).join('/')}`), origin];
}
