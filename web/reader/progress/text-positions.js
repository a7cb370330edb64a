// Positions in the text of an article, counted in UTF-16 units, and where they are on the screen.

import { textNodes } from '../article-text.js';
import { firstIndex } from '../binary-search.js';
import { placeExtent } from '../writing/axis.js';

/**
 * Returns the text of an article.
 * @param {Element} root
 * @returns {string}
 */
export function articleText(root) {
  return textNodes(root).map(({ data }) => data).join('');
}

/**
 * Returns the index of the first character that is not before a place of the window.
 * @param {Element} root
 * @param {number} start in pixels in the direction of reading
 * @returns {number} the length of the text if all of it is before
 */
export function indexAt(root, start) {
  const nodes = textNodes(root).filter(({ data }) => data.trim());
  const node = nodes[firstIndex(nodes.length, (n) => endsAfter(extentIn(nodes[n], 0, nodes[n].length), start))];
  if (!node) return articleText(root).length;
  const offset = firstIndex(node.length, (n) => endsAfter(extentIn(node, n, n + 1), start));
  // An article may begin with space that is not shown.
  if (node === nodes[0] && !node.data.slice(0, offset).trim()) return 0;
  let index = Math.min(offset, node.length - 1);
  for (const each of textNodes(root)) {
    if (each === node) break;
    index += each.length;
  }
  return index;
}

/**
 * Returns where a character begins in the direction of reading, in pixels.
 * @param {Element} root
 * @param {number} index
 * @returns {number | null} null if there is no such character, or only space before it
 */
export function startOf(root, index) {
  if (!articleText(root).slice(0, index).trim()) return null;
  let first = 0;
  for (const node of textNodes(root)) {
    if (index < first + node.length) return extentIn(node, index - first, index - first + 1).start;
    first += node.length;
  }
  return null;
}

function extentIn(node, start, end) {
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, end);
  return placeExtent(range);
}

// A box of one line is after a place if its middle is; a box of many lines if its last line may be.
function endsAfter({ start, end }, place) {
  return end - Math.min(end - start, 16) / 2 > place;
}
