// The top of a list as it was left, which is shown at the next visit until the server has answered.

const KEY = 'kept-list';

/** As many as fit on a large screen. */
const MAX_LINKS = 20;

/**
 * Returns the links with which a list began when it was left.
 * @param {{user: string}} session
 * @param {string} list
 * @returns {import('../shared/links/link-text.js').Link[] | undefined}
 */
export function keptLinks({ user }, list) {
  const kept = JSON.parse(localStorage.getItem(KEY));
  return kept?.user === user && kept.list === list ? kept.links : undefined;
}

/**
 * Keeps the beginning of the open list for the next visit.
 * @param {{user: string} | null} session null if the user has signed out, and nothing may be kept
 * @param {import('./link-list.js').LinkList} list
 */
export function keepLinks(session, { name, firstLinks }) {
  if (!session || !firstLinks) return;
  const links = firstLinks.slice(0, MAX_LINKS);
  try {
    localStorage.setItem(KEY, JSON.stringify({ user: session.user, list: name, links }));
  } catch {
    // The storage is full: the next visit waits for the server.
  }
}
