// The routes of the home page: `#/read`, `#/archive`, `#/search/<query>`, `#/trash` and
// `#/link/<id>`.

const LINK_ID = /^[0-9a-f-]{36}$/;

/**
 * Parses the fragment of the URL. Anything unknown is the list To Read.
 * @param {string} hash with the leading `#`, or empty
 * @returns {{linkId: string} | {isTrash: true} | {query: string, linkId?: undefined} | {list: 'read' | 'archive',
 *   query?: undefined, linkId?: undefined}}
 */
export function parseRoute(hash) {
  const [, name, rest] = hash.split('/');
  if (name === 'link' && LINK_ID.test(rest)) return { linkId: rest };
  if (name === 'trash') return { isTrash: true };
  const query = name === 'search' && decode(rest ?? '').trim();
  if (query) return { query };
  return { list: name === 'archive' ? 'archive' : 'read' };
}

/**
 * Returns the fragment for what a search finds; for an empty query that of To Read.
 * @param {string} query
 */
export function searchHash(query) {
  return query.trim() ? `#/search/${encodeURIComponent(query.trim())}` : '#/read';
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
