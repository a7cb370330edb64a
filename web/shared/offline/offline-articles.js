// Reading articles and what belongs to them with or without a network; see `offline-links.js`.

import { restRequest } from '../api/session.js';
import { articlePath, takeEarlyRows } from '../links/link-requests.js';
import { copiedArticle, copiedLink, keepArticle, keepLinks } from './offline-copies.js';
import { serverOrCopy } from './offline-links.js';

/** @typedef {import('../links/link-text.js').Link} Link */

/**
 * Fetches a link with its article. An id that was merged into another link yields that link.
 * @param {string} id
 * @returns {Promise<{link?: Link, article?: object}>} without a network, the article is missing unless it is kept
 *   here; without an article, it is an empty object
 */
export function fetchArticle(id) {
  return serverOrCopy({
    fetch: async () => {
      const path = articlePath(id);
      const [row] = await takeEarlyRows(path) ?? await restRequest(path);
      if (!row) return { article: {} };
      const { articles: article, ...link } = row;
      return { link, article: article ?? {} };
    },
    keep: async ({ link, article }) => {
      if (!link) return;
      await keepLinks([link]);
      await keepArticle({ id: link.id, article, openedAt: Date.now() });
    },
    copy: async () => {
      const [link, copy] = await Promise.all([copiedLink(id), copiedArticle(id)]);
      if (copy) await keepArticle({ id, openedAt: Date.now() });
      return { link, article: copy?.article ?? undefined };
    },
    isUsable: ({ link }) => Boolean(link),
  });
}

/**
 * Fetches what belongs to an article, such as its pictures.
 * @template T
 * @param {string} linkId
 * @param {string} name of the field of the copy that holds it
 * @param {() => Promise<T>} fetch
 * @returns {Promise<T>}
 */
export function fetchPart(linkId, name, fetch) {
  return serverOrCopy({
    fetch,
    keep: (part) => keepArticle({ id: linkId, [name]: part }),
    copy: async () => (await copiedArticle(linkId))?.[name],
    isUsable: (part) => part !== undefined,
  });
}
