// Searching the copies of links without a network: words in titles, descriptions and addresses, and the terms that
// need nothing but a link's own columns. docs/search.md describes the language. This module does not use the DOM.

import { terms } from '../../list/query-text.js';
import { linkHost, linkTitle, linkURL } from '../links/link-text.js';
import { locale, t } from '../locale/translate.js';

const STATES = {
  unread: ({ status }) => status === 'unread',
  read: ({ status }) => status === 'read',
  archived: ({ list }) => list === 'archive',
  starred: (link) => Boolean(link.is_starred),
  failed: ({ state }) => state === 'failed',
  pending: ({ state }) => state === 'pending' || state === 'waiting',
  untagged: ({ tags }) => !tags?.length,
  highlighted: ({ highlightCount }) => highlightCount > 0,
};

const ORDERS = {
  newest: (a, b) => compare(b.created_at, a.created_at),
  oldest: (a, b) => compare(a.created_at, b.created_at),
  title: (a, b) => linkTitle(a).localeCompare(linkTitle(b), locale),
  shortest: (a, b) => (a.word_count ?? 0) - (b.word_count ?? 0),
  longest: (a, b) => (b.word_count ?? 0) - (a.word_count ?? 0),
};

/**
 * Returns the links that a query finds, in its order; newest first unless it names one.
 * @param {import('../links/link-text.js').Link[]} links
 * @param {string} query
 * @returns {import('../links/link-text.js').Link[]}
 * @throws {Error & {isFinal: true}} if the query needs the server
 */
export function searchCopies(links, query) {
  let order = ORDERS.newest;
  const tests = [];
  for (const written of terms(query)) {
    const isNegated = written.startsWith('-');
    const term = (isNegated ? written.slice(1) : written).toLowerCase();
    if (/^sort:/.test(term)) {
      order = ORDERS[term.slice('sort:'.length)] ?? order;
    } else {
      const test = testOf(term);
      tests.push((link) => test(link) !== isNegated);
    }
  }
  return links.filter((link) => tests.every((test) => test(link))).sort(order);
}

function testOf(term) {
  const [, key, rest] = /^(is|tag|site|title|url|#)(?::|(?<=#))(.+)$/.exec(term) ?? [];
  const value = rest?.replaceAll('"', '');
  if (key === 'is' && Object.hasOwn(STATES, value)) return STATES[value];
  if (key === 'tag' || key === '#') return ({ tags }) => tags?.some((tag) => tag.toLowerCase() === value) ?? false;
  if (key === 'site') return (link) => `.${linkHost(link)}`.endsWith(`.${value.replace(/^www\./, '')}`);
  if (key === 'title') return (link) => folded(linkTitle(link)).includes(folded(value));
  if (key === 'url') return (link) => linkURL(link).toLowerCase().includes(value);
  if (term === 'or' || /[()]/.test(term) || /^[a-z]+:/.test(term)) throw onlyOnline();
  const word = folded(term.replaceAll('"', '').replace(/\*$/, ''));
  return (link) => folded(`${linkTitle(link)} ${link.description ?? ''} ${linkURL(link)}`).includes(word);
}

function onlyOnline() {
  const message = t('You are offline. Only words in titles and addresses, and is:, tag:, site:, title: and url: can '
    + 'be searched now.');
  return Object.assign(Error(message), { isFinal: true });
}

// Without regard to case and accents.
function folded(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function compare(a = '', b = '') {
  return a < b ? -1 : Number(a > b);
}
