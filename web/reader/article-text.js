// The text that an article shows, and the places of its text nodes in it. A change of the nodes makes it stale.

import { firstIndex } from './binary-search.js';

/** What the page adds to an article. */
const ADDED = '.no-picture';

/**
 * Returns the text nodes of an article. What the page adds does not belong to it.
 * @param {Element} root
 * @returns {Text[]}
 */
export function textNodes(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
    return node.matches(ADDED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

export class ArticleText {
  #root;
  #nodes;
  /** Offset of each node in the text. */
  #starts = [];

  /** @param {Element} root */
  constructor(root) {
    this.#root = root;
    this.#nodes = textNodes(root);
    let length = 0;
    for (const node of this.#nodes) {
      this.#starts.push(length);
      length += node.length;
    }
    /** @type {string} */
    this.text = this.#nodes.map(({ data }) => data).join('');
  }

  /**
   * Returns the range of the text that a range of the document covers.
   * @param {Range} range
   * @returns {{start: number, end: number}} offsets in UTF-16 units
   */
  offsetsOf({ startContainer, startOffset, endContainer, endOffset }) {
    return { start: this.#offset(startContainer, startOffset), end: this.#offset(endContainer, endOffset) };
  }

  /**
   * Returns a range of the document for a range of the text.
   * @param {{start: number, end: number}} offsets with `end` greater than `start`
   * @returns {Range}
   */
  rangeOf({ start, end }) {
    const slices = this.slices({ start, end });
    const last = slices.at(-1);
    const range = document.createRange();
    range.setStart(slices[0].node, slices[0].start);
    range.setEnd(last.node, last.end);
    return range;
  }

  /**
   * Returns the parts of text nodes that a range of the text consists of.
   * @param {{start: number, end: number}} offsets
   * @returns {{node: Text, start: number, end: number}[]} offsets in the node
   */
  slices({ start, end }) {
    const slices = [];
    for (let index = this.#nodeAt(start); index < this.#nodes.length; index += 1) {
      const node = this.#nodes[index];
      const first = this.#starts[index];
      if (first >= end) break;
      const slice = { node, start: Math.max(0, start - first), end: Math.min(node.length, end - first) };
      if (slice.end > slice.start) slices.push(slice);
    }
    return slices;
  }

  // Index of the node that contains an offset.
  #nodeAt(offset) {
    return Math.max(0, firstIndex(this.#starts.length, (index) => this.#starts[index] > offset) - 1);
  }

  #offset(container, offset) {
    const bound = document.createRange();
    bound.setStart(container, offset);
    const isInNode = container.nodeType === Node.TEXT_NODE && this.#root.contains(container);
    const index = firstIndex(this.#nodes.length, (each) => (
      this.#nodes[each] === container || bound.comparePoint(this.#nodes[each], 0) >= 0
    ));
    if (index === this.#nodes.length) return this.text.length;
    return this.#starts[index] + (isInNode && this.#nodes[index] === container ? offset : 0);
  }
}
