// Positions in the text of an article, counted in UTF-16 units, and where they are on the screen.

import { textNodes } from '../article-text.js';
import { firstIndex } from '../first-index.js';

/**
 * Returns the text of an article.
 * @param {Element} root
 * @returns {string}
 */
export function articleText(root) {
  return textNodes(root).map(({ data }) => data).join('');
}

/**
 * Returns the index of the first character that is not above a height.
 * @param {Element} root
 * @param {number} top in pixels from the top of the window
 * @returns {number} the length of the text if all of it is above
 */
export function indexAt(root, top) {
  const nodes = textNodes(root).filter(({ data }) => data.trim());
  const node = nodes[firstIndex(nodes.length, (n) => isBelow(rectOf(nodes[n], 0, nodes[n].length), top))];
  if (!node) return articleText(root).length;
  const offset = firstIndex(node.length, (n) => isBelow(rectOf(node, n, n + 1), top));
  let index = Math.min(offset, node.length - 1);
  for (const each of textNodes(root)) {
    if (each === node) break;
    index += each.length;
  }
  return index;
}

/**
 * Returns how far a character is from the top of the window, in pixels.
 * @param {Element} root
 * @param {number} index
 * @returns {number | null} null if there is no such character
 */
export function topOf(root, index) {
  let start = 0;
  for (const node of textNodes(root)) {
    if (index < start + node.length) return rectOf(node, index - start, index - start + 1).top;
    start += node.length;
  }
  return null;
}

function rectOf(node, start, end) {
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, end);
  return range.getBoundingClientRect();
}

// A box of one line is below a height if its middle is; a box of many lines if its last line may be.
function isBelow({ bottom, height }, top) {
  return bottom - Math.min(height, 16) / 2 > top;
}
