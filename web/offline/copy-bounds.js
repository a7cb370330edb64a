// Which copies are fetched and which are removed. This module does not use the DOM.

import { FURTHER_LINKS, OPENED_ARTICLES } from '../shared/offline/offline-settings.js';

/** @typedef {import('../shared/offline/copies.js').ArticleCopy} ArticleCopy */

/**
 * Returns the links whose articles are not kept, or have changed, or were kept before the server had their pictures.
 * @param {{id: string, articles: {extracted_at: string} | null}[]} rows of `links`, with their articles
 * @param {ArticleCopy[]} kept
 * @returns {string[]} ids
 */
export function copiesToFetch(rows, kept) {
  const complete = kept.filter(({ pictures = [] }) => pictures.every(({ state }) => state !== 'waiting'));
  const times = new Map(complete.map(({ id, article }) => [id, article?.extracted_at]));
  const isMissing = ({ id, articles }) => articles && times.get(id) !== articles.extracted_at;
  return rows.filter(isMissing).map(({ id }) => id);
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
