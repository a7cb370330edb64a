// The pages of an article as values: which page a character is on, and what is said about a page. This module does
// not use the DOM.

import { firstIndex } from '../binary-search.js';

/**
 * @typedef {object} Layout
 * @property {number} pages how many there are
 * @property {number[]} starts the index of the first character of each page; a page without text has that of the next
 */

/**
 * Returns the page that shows a character.
 * @param {Layout} layout
 * @param {number} index
 * @returns {number} from 0
 */
export function pageOf({ starts }, index) {
  const next = firstIndex(starts.length, (page) => starts[page] > index);
  return Math.max(next - 1, 0);
}

/**
 * Returns which fraction of the text has been read when a page is shown.
 * @param {number} page from 0
 * @param {number} textPages how many pages have text of the article
 * @returns {number} 0 to 1; 1 from the last page with text on
 */
export function pageFraction(page, textPages) {
  return textPages <= 1 ? 1 : Math.min(page / (textPages - 1), 1);
}

/**
 * Returns an existing page.
 * @param {number} page
 * @param {number} pages how many there are
 * @returns {number} from 0
 */
export function clampPage(page, pages) {
  return Math.max(0, Math.min(page, pages - 1));
}

/**
 * Returns the page at a place of the strip of pages.
 * @param {number} distance from the beginning of the strip in the direction of reading, in pixels
 * @param {number} step from one page to the next, in pixels
 */
export function pageAt(distance, step) {
  // A box may begin a fraction of a pixel before its page.
  return Math.floor((distance + 1) / step);
}

/** Keys → which way they turn: to the left or right side, or to the previous or next page in any script. */
const TURNS = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -1,
  PageDown: 1,
  Home: -Infinity,
  End: Infinity,
};

/**
 * Returns by how many pages a key turns.
 * @param {string} key
 * @param {{isShifted: boolean, isRightToLeft: boolean}} options
 * @returns {number} negative ones turn back, 0 is no such key
 */
export function turnOfKey(key, { isShifted, isRightToLeft }) {
  if (key === ' ') return isShifted ? -1 : 1;
  if (isShifted || !Object.hasOwn(TURNS, key)) return 0;
  const turn = TURNS[key];
  return typeof turn === 'number' ? turn : turnOfSide(turn, isRightToLeft);
}

/**
 * Returns by how many pages the reader turns towards a side.
 * @param {'left' | 'right'} side
 * @param {boolean} isRightToLeft
 * @returns {1 | -1}
 */
export function turnOfSide(side, isRightToLeft) {
  return (side === 'right') === isRightToLeft ? -1 : 1;
}
