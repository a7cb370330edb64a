// Where the pages of an article begin in its text.

import { textNodes } from '../article-text.js';
import { firstIndex } from '../binary-search.js';

/** The measuring stops for other work after this long. */
const SLICE_MS = 8;

/** The text nodes of an article that may be seen, with their offsets in the text. */
export class MeasuredText {
  #nodes = [];
  #starts = [];
  /** In UTF-16 units. */
  length = 0;

  /** @param {Element} root */
  constructor(root) {
    for (const node of textNodes(root)) {
      if (node.data.trim()) {
        this.#nodes.push(node);
        this.#starts.push(this.length);
      }
      this.length += node.length;
    }
  }

  /**
   * Returns the index of the first character that is not before a place.
   * @param {(rect: DOMRect) => boolean} isBefore
   * @returns {number} the length of the text if all of it is before
   */
  indexAfter(isBefore) {
    const place = firstIndex(this.#nodes.length, (each) => {
      const node = this.#nodes[each];
      return !isBefore(rangeFrom(node, 0).getBoundingClientRect());
    });
    const node = this.#nodes[place];
    if (!node) return this.length;
    const offset = firstIndex(node.length, (each) => !isBefore(rectFrom(node, each)));
    // The space at the end of a line belongs to that line, though it has no box there.
    const spaces = node.data.slice(offset).search(/\S/);
    return this.#starts[place] + Math.min(offset + Math.max(spaces, 0), node.length - 1);
  }

  /**
   * Returns the box of a character, or of the next one that can be seen; after the end, that of the last one.
   * @param {number} index
   * @returns {DOMRect | undefined}
   */
  rectAt(index) {
    const next = firstIndex(this.#starts.length, (each) => this.#starts[each] > index);
    const place = Math.max(next - 1, 0);
    const node = this.#nodes[place];
    if (!node) return undefined;
    const offset = index - this.#starts[place];
    if (offset >= node.length && this.#nodes[next]) return rectFrom(this.#nodes[next], 0);
    return rectFrom(node, Math.max(0, Math.min(offset, node.length - 1)));
  }
}

/**
 * Measures where pages begin, in slices between which the browser does other work.
 * @param {MeasuredText} text
 * @param {number} pages
 * @param {() => (page: number) => (rect: DOMRect) => boolean} readPlaces returns, for now, how to tell whether a box is
 *   before a page
 * @param {AbortSignal} signal
 * @returns {Promise<number[] | null>} the index of the first character of each page; null if it was aborted
 */
export async function measureStarts(text, pages, readPlaces, signal) {
  const starts = [0];
  while (starts.length < pages) {
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return null;
    const until = performance.now() + SLICE_MS;
    const isBeforePage = readPlaces();
    do starts.push(text.indexAfter(isBeforePage(starts.length)));
    while (starts.length < pages && performance.now() < until);
  }
  return starts;
}

function rangeFrom(node, start) {
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, node.length);
  return range;
}

// White space that the page leaves out has no box, so the box of the character after it is taken.
function rectFrom(node, start) {
  const range = rangeFrom(node, start);
  return range.getClientRects()[0] ?? range.getBoundingClientRect();
}
