// Which copies are fetched and which are removed. This module does not use the DOM.

import { FURTHER_LINKS, OPENED_ARTICLES } from '../shared/offline/offline-settings.js';

/** @typedef {import('../shared/offline/offline-copies.js').ArticleCopy} ArticleCopy */

/**
 * Returns the links whose articles are not kept, or have changed, or were kept before the server had their pictures.
 * @param {object[]} rows of `links`, with `articles(extracted_at)` and `link_pictures`
 * @param {ArticleCopy[]} kept
 * @returns {string[]} ids
 */
export function copiesToFetch(rows, kept) {
  const copies = new Map(kept.map((copy) => [copy.id, copy]));
  const isComplete = ({ id, articles, link_pictures = [] }) => {
    const { article, pictures = [] } = copies.get(id) ?? {};
    const known = new Set(pictures.map((picture) => picture.pictures?.address));
    const isKnown = ({ kind, pictures: stored }) => kind !== 'article' || !stored || known.has(stored.address);
    return article?.extracted_at === articles.extracted_at
      && pictures.every(({ state }) => state !== 'waiting')
      && link_pictures.every(isKnown);
  };
  return rows.filter((row) => row.articles && !isComplete(row)).map(({ id }) => id);
}

/**
 * Returns what is beyond the bounds: articles that are neither wanted nor among those opened last, and links without
 * such an article that were changed longest ago.
 * @param {import('../shared/links/link-text.js').Link[]} links all copies
 * @param {ArticleCopy[]} articles all copies
 * @param {Set<string>} wanted ids of the links whose articles are kept in any case
 * @returns {{links: string[], articles: string[]}} ids
 */
export function beyondBounds(links, articles, wanted) {
  const opened = articles
    .filter(({ id, openedAt }) => openedAt && !wanted.has(id))
    .sort((a, b) => b.openedAt - a.openedAt)
    .slice(0, OPENED_ARTICLES);
  const keptArticles = new Set([...wanted, ...opened.map(({ id }) => id)]);
  const further = links
    .filter(({ id, state }) => !keptArticles.has(id) && state !== 'waiting')
    .sort((a, b) => ((a.updated_at ?? '') < (b.updated_at ?? '') ? 1 : -1));
  return {
    links: further.slice(FURTHER_LINKS).map(({ id }) => id),
    articles: articles.map(({ id }) => id).filter((id) => !keptArticles.has(id)),
  };
}
