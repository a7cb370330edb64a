// Reading and changing the text of a query, term by term. docs/search.md describes the language; the server parses
// it, and this module only finds the terms that the page adds and removes.

/** Spaces separate terms, except inside quotes. */
export const TERM = /(?:[^\s"]|"[^"]*(?:"|$))+/g;

/** The lists as queries. */
export const LIST_QUERIES = { read: '-is:archived', archive: 'is:archived' };

/**
 * Returns a value as it is written after a key: in quotes where it needs them. The language has no way to write
 * a quote inside quotes, so it becomes a space.
 * @param {string} value
 * @returns {string}
 */
export function quoted(value) {
  return /^[\p{L}\p{N}._-]+$/u.test(value) ? value : `"${value.replaceAll('"', ' ')}"`;
}

/**
 * Returns the query for the links with a tag.
 * @param {string} name
 * @returns {string}
 */
export function tagQuery(name) {
  return `tag:${quoted(name)}`;
}

/**
 * Returns the query for the links of a collection and of those nested in it.
 * @param {string} id
 * @returns {string}
 */
export function collectionQuery(id) {
  return `in:${id}`;
}

/**
 * Returns the query that finds what a route of the list shows.
 * @param {{list?: 'read' | 'archive', query?: string}} route
 * @returns {string}
 */
export function routeQuery({ list, query }) {
  return query ?? LIST_QUERIES[list];
}

/**
 * Returns the list in which a query searches if it begins with that list, as after a change of the order. A query with
 * `or` finds links of both lists.
 * @param {string} [query]
 * @returns {'read' | 'archive' | undefined}
 */
export function listOfQuery(query = '') {
  const [first, ...others] = terms(query);
  if (others.some((term) => term.toLowerCase() === 'or')) return undefined;
  return Object.keys(LIST_QUERIES).find((name) => LIST_QUERIES[name] === first);
}

/**
 * Returns the value of the first term with a key, or an empty text.
 * @param {string} query
 * @param {string} key such as `sort`
 * @returns {string} without quotes
 */
export function termValue(query, key) {
  const term = terms(query).find((each) => hasKey(each, key));
  return term ? term.slice(key.length + 1).replaceAll('"', '') : '';
}

/**
 * Replaces all terms with a key by one with a value, at the end; an empty value only removes them.
 * @param {string} query
 * @param {string} key
 * @param {string} value
 * @returns {string}
 */
export function withTerm(query, key, value) {
  const others = terms(query).filter((term) => !hasKey(term, key));
  return [...others, value && `${key}:${quoted(value)}`].filter(Boolean).join(' ');
}

/**
 * Returns the terms of a query, with their signs and quotes.
 * @param {string} query
 * @returns {string[]}
 */
export function terms(query) {
  return query.match(TERM) ?? [];
}

function hasKey(term, key) {
  return term.toLowerCase().startsWith(`${key}:`);
}
