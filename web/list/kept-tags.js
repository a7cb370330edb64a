// The tags of the sidebar as they were loaded last, which are shown without a network.

const KEY = 'kept-tags';

/**
 * @param {{user: string} | null} session
 * @returns {import('./folders-api.js').Tag[]} those of this user
 */
export function keptTags(session) {
  const kept = JSON.parse(localStorage.getItem(KEY));
  return session && kept?.user === session.user ? kept.tags : [];
}

/**
 * @param {{user: string} | null} session null if the user has signed out, and nothing may be kept
 * @param {import('./folders-api.js').Tag[]} tags
 */
export function keepTags(session, tags) {
  if (!session) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ user: session.user, tags }));
  } catch {
    // The storage is full: without a network, the sidebar has no tags.
  }
}
