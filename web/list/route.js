// The routes of the home page: `#/read`, `#/archive` and `#/link/<id>`.

const LINK_ID = /^[0-9a-f-]{36}$/;

/**
 * Parses the fragment of the URL. Anything unknown is the list To Read.
 * @param {string} hash with the leading `#`, or empty
 * @returns {{linkId: string} | {list: 'read' | 'archive', linkId?: undefined}}
 */
export function parseRoute(hash) {
  const [, name, id] = hash.split('/');
  if (name === 'link' && LINK_ID.test(id)) return { linkId: id };
  return { list: name === 'archive' ? 'archive' : 'read' };
}
