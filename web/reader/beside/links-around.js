// Which links of a long list are shown beside an article. This module does not use the DOM.

/** How many links before and after the open one are shown. */
const BEFORE = 50;
const AFTER = 150;

/**
 * Returns the links of a list around one of them.
 * @template {{id: string}} Link
 * @param {Link[]} links
 * @param {string} id
 * @returns {Link[]}
 */
export function linksAround(links, id) {
  const index = Math.max(links.findIndex((link) => link.id === id), 0);
  return links.slice(Math.max(index - BEFORE, 0), index + AFTER + 1);
}
