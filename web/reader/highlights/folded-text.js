// Texts without their white space. The text of an article that the server stores, the text of the page and the
// quotes of clients differ in white space alone, so positions are converted through what is left.

import { firstIndex } from '../binary-search.js';

const NOT_SPACE = /\S+/g;

export class FoldedText {
  #folded;

  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  /** The UTF-16 units of the text that are not white space. */
  get units() {
    return this.#fold().units;
  }

  /** Index of each unit of `units` in the text. */
  get #positions() {
    return this.#fold().positions;
  }

  // On first use, because most articles have no highlights, and folding a long one is slow.
  #fold() {
    this.#folded ??= foldWithPositions(this.text);
    return this.#folded;
  }

  /**
   * Returns the index of the first unit that is not before a position of the text.
   * @param {number} position
   */
  indexFrom(position) {
    const positions = this.#positions;
    return firstIndex(positions.length, (index) => positions[index] >= position);
  }

  /**
   * Returns the range of the text that some units stand for.
   * @param {number} first index of the first unit
   * @param {number} end index after the last unit, greater than `first`
   * @returns {TextRange}
   */
  range(first, end) {
    return { start: this.#positions[first], end: this.#positions[end - 1] + 1 };
  }

  /**
   * Returns a range of the text without white space at its ends, or null if it has nothing else.
   * @param {TextRange} range
   * @returns {TextRange | null}
   */
  trim({ start, end }) {
    const first = this.indexFrom(start);
    const last = this.indexFrom(end);
    return last > first ? this.range(first, last) : null;
  }
}

function foldWithPositions(text) {
  const positions = new Int32Array(text.length);
  const words = [];
  let count = 0;
  for (const { 0: word, index } of text.matchAll(NOT_SPACE)) {
    for (let offset = 0; offset < word.length; offset += 1) positions[count + offset] = index + offset;
    count += word.length;
    words.push(word);
  }
  return { positions: positions.subarray(0, count), units: words.join('') };
}

/** @typedef {{start: number, end: number}} TextRange in UTF-16 units; `end` is exclusive */

/**
 * Returns text without its white space.
 * @param {string} text
 */
export function fold(text) {
  return text.replace(/\s+/g, '');
}

/**
 * Finds the passage of one text in another text, nearest to where it is in the first one.
 * @param {FoldedText} from
 * @param {FoldedText} to
 * @param {TextRange} range of `from`
 * @returns {TextRange | null}
 */
export function convertRange(from, to, { start, end }) {
  const first = from.indexFrom(start);
  const last = from.indexFrom(end);
  if (last <= first) return null;
  const place = nearest(to.units, from.units.slice(first, last), first);
  return place < 0 ? null : to.range(place, place + last - first);
}

/**
 * Returns the index at which a text contains a passage, nearest to an index, or -1.
 * @param {string} text
 * @param {string} passage
 * @param {number} expected
 */
export function nearest(text, passage, expected) {
  const after = text.indexOf(passage, expected);
  const before = text.lastIndexOf(passage, expected);
  if (after < 0 || before < 0) return Math.max(after, before);
  return after - expected < expected - before ? after : before;
}
