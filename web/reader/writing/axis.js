// The axis along which the open article moves through the window: down, or to a side where its lines are vertical or it
// is in pages. Whatever measures or scrolls to a place does it along this axis, without regard to the script.

import { hasPages } from '../pages/show-on-page.js';
import { extentOf, wayOfLines, wayOfPages } from './extents.js';

const root = document.documentElement;
const part = (selector) => document.querySelector(`#reader > ${selector}`);

/** @returns {boolean} whether the lines of the open article are vertical */
export const isVertical = () => 'writing' in root.dataset;

/** @returns {boolean} whether the article fills the window and moves in it, instead of being scrolled with the page */
export const isFramed = () => hasPages() || isVertical();

/** @returns {import('./extents.js').Way} how pages follow each other */
export const pageWay = () => wayOfPages(root.dataset.writing, part('article').dataset.direction);

/** @returns {import('./extents.js').Way} how lines follow each other */
export const lineWay = () => wayOfLines(root.dataset.writing);

/** @returns {boolean} whether the reader goes on to the left */
export const isNextLeft = () => (isVertical() ? lineWay() : pageWay()) === 'left';

/**
 * Returns where a place begins and ends, on the way that the article moves.
 * @param {Element | Range | DOMRect} place
 * @returns {{start: number, end: number}} in the same pixels as `screenExtent`
 */
export function placeExtent(place) {
  return extentOf(place.getBoundingClientRect?.() ?? place, hasPages() ? pageWay() : lineWay());
}

/**
 * Returns which part of the way is in the window.
 * @returns {{start: number, end: number}}
 */
export function screenExtent() {
  return isFramed() ? placeExtent(part('article')) : { start: 0, end: innerHeight };
}

/**
 * Returns where text on the screen begins. The tools are at the top of the window wherever text is behind them.
 * @returns {number}
 */
export function readingStart() {
  return isFramed() ? screenExtent().start : part('.tools').offsetHeight;
}

/** @returns {number} how far the article has been scrolled, where it has no pages */
export function scrollOffset() {
  return isVertical() ? Math.abs(part('article').scrollLeft) : scrollY;
}

/**
 * Scrolls an article without pages.
 * @param {number} distance in pixels; negative ones lead back
 * @param {ScrollBehavior} behavior
 */
export function scrollAlong(distance, behavior) {
  if (!isVertical()) scrollBy({ top: distance, behavior });
  else part('article').scrollBy({ left: lineWay() === 'left' ? -distance : distance, behavior });
}
