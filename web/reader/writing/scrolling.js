// Scrolling an article with vertical lines. Browsers scroll to the side with few keys and without the wheel.

import { scrollAlong, screenExtent } from './axis.js';

/** How far an arrow key scrolls, in pixels. */
const STEP = 60;

/** No article is as long, in pixels. */
const FAR = 1e7;

/** How much of the window the other keys scroll. The rest is seen again. */
const SCREEN = 0.85;

/**
 * Scrolls as a key says.
 * @param {string} key
 * @param {number} count see `turnOfKey`; infinite ones lead to the ends
 * @param {boolean} isRepeated whether the key is held
 */
export function scrollByKey(key, count, isRepeated) {
  const isFar = !Number.isFinite(count);
  const isStill = isFar || isRepeated || matchMedia('(prefers-reduced-motion: reduce)').matches;
  const { start, end } = screenExtent();
  const step = /^Arrow/.test(key) ? STEP : SCREEN * (end - start);
  // Browsers take no infinite distance.
  scrollAlong(isFar ? Math.sign(count) * FAR : count * step, isStill ? 'instant' : 'smooth');
}

/**
 * Scrolls as the wheel was turned. What it says about the sides is left to the browser.
 * @param {WheelEvent} event
 */
export function scrollByWheel(event) {
  const { deltaX, deltaY, deltaMode } = event;
  if (Math.abs(deltaX) > Math.abs(deltaY)) return;
  event.preventDefault();
  const { start, end } = screenExtent();
  const unit = [1, STEP / 3, end - start][deltaMode];
  scrollAlong(deltaY * unit, 'instant');
}
