// What an app or a bookmarklet wants to save, as values of the address of the page. This module does not use the
// DOM.

const URL_IN_TEXT = /https?:\/\/[^\s<>"']+/i;

/** Signs at the end of an address in a sentence that do not belong to it. */
const AFTER_URL = /[.,;:!?)\]}»”’…]+$/u;

/**
 * @typedef {object} SharedPage
 * @property {string} url empty if none was given
 * @property {string} title
 * @property {string[]} tags
 * @property {'read' | 'archive'} list
 */

/**
 * Returns what is to be saved. Android's share sheet puts the address into `text`, and some apps into `title`.
 * @param {string} search the query of the page's address
 * @returns {SharedPage}
 */
export function sharedPage(search) {
  const values = new URLSearchParams(search);
  const value = (name) => (values.get(name) ?? '').trim();
  const link = value('url').replace(/^web\+lectern:(\/\/)?/i, '');
  const url = link || urlIn(value('text')) || urlIn(value('title'));
  const title = urlIn(value('title')) ? '' : value('title');
  return { url, title, tags: tagNames(value('tags')), list: value('list') === 'archive' ? 'archive' : 'read' };
}

/**
 * Returns the names of tags in a text with commas between them, each once.
 * @param {string} text
 * @returns {string[]}
 */
export function tagNames(text) {
  const names = new Map();
  for (const part of text.split(',')) {
    const name = part.trim().replace(/^#/, '');
    if (name && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()];
}

function urlIn(text) {
  return URL_IN_TEXT.exec(text)?.[0].replace(AFTER_URL, '') ?? '';
}
