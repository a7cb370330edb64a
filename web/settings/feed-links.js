// The addresses of feeds.

/**
 * @param {string} origin of the server
 * @param {string} token a personal API token of the scope `feed`
 * @param {{kind: 'unread' | 'starred' | 'archive' | 'tag' | 'collection', name?: string, id?: string}} list
 * @returns {{atom: string, json: string, opds: string}} `opds` is the same for all lists: the catalog has them all
 */
export function feedLinks(origin, token, { kind, name, id }) {
  const path = { tag: () => `tag/${encodeURIComponent(name)}`, collection: () => `collection/${id}` }[kind]?.() ?? kind;
  const address = `${origin}/feed/t/${token}/${path}`;
  return { atom: `${address}.atom`, json: `${address}.json`, opds: `${origin}/opds/t/${token}` };
}
