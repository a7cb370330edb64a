// Where boxes begin and end in the direction of reading. This module does not use the DOM.

/** @typedef {'down' | 'left' | 'right'} Way the direction in which what is read next lies */

/** CSS writing mode → the way in which lines follow each other. */
const WAYS = { 'vertical-rl': 'left', 'vertical-lr': 'right' };

/**
 * Returns the way in which lines follow each other.
 * @param {string} [writing] a vertical CSS writing mode
 * @returns {Way}
 */
export function wayOfLines(writing) {
  return WAYS[writing] ?? 'down';
}

/**
 * Returns the way in which pages follow each other. Pages are columns, which lie beside each other where lines are
 * horizontal, and below each other where they are vertical.
 * @param {string} [writing] a vertical CSS writing mode
 * @param {string} [direction] of horizontal lines, `ltr` or `rtl`
 * @returns {Way}
 */
export function wayOfPages(writing, direction) {
  if (writing) return 'down';
  return direction === 'rtl' ? 'left' : 'right';
}

/**
 * Returns where a box begins and ends along a way, in pixels that increase along it.
 * @param {{left: number, right: number, top: number, bottom: number}} box
 * @param {Way} way
 * @returns {{start: number, end: number}}
 */
export function extentOf({ left, right, top, bottom }, way) {
  if (way === 'down') return { start: top, end: bottom };
  return way === 'right' ? { start: left, end: right } : { start: -right, end: -left };
}
