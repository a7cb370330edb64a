// What an app or a bookmarklet wants to save, as values of the address of the page. This module does not use the
// DOM.

import { parseTagNames } from '../shared/links/tag-names.js';

const URL_IN_TEXT = /https?:\/\/[^\s<>"']+/i;

/** Signs at the end of an address in a sentence that do not belong to it. */
const AFTER_URL = /[.,;:!?)\]}»”’…]+$/u;

/**
 * @typedef {object} SharedPage
 * @property {string} url empty if none was given
 * @property {string} title
 * @property {string[]} tags
 * @property {'read' | 'archive'} list
 * @property {boolean} isFromOpener whether the window that opened this one hands its page over
 * @property {string} share the id of files that an app has shared; empty without files
 * @property {boolean} hasNoLink whether there is a text or a title, but no address in it
 * @property {boolean} isLost whether the service worker could not take what an app has shared
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
  const share = /^[0-9a-f-]{36}$/.test(value('files')) ? value('files') : '';
  return {
    url,
    title,
    tags: parseTagNames(value('tags')),
    list: value('list') === 'archive' ? 'archive' : 'read',
    isFromOpener: value('page') === 'opener',
    share,
    hasNoLink: !url && !share && Boolean(title || value('text')),
    isLost: value('shared') === 'lost',
  };
}

function urlIn(text) {
  return URL_IN_TEXT.exec(text)?.[0].replace(AFTER_URL, '') ?? '';
}
