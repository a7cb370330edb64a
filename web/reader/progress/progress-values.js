// Reading progress as values. This module does not use the DOM.

import { t } from '../../shared/locale/translate.js';

/** From this fraction on, an article counts as read to the end: the rest is less than a line. */
const END = 0.995;

/**
 * Returns which fraction of a text lies before the visible part, 0 to 1. It is 0 while the text begins on the
 * screen and 1 when its end is visible.
 * @param {{start: number, end: number}} text in pixels in the direction of reading
 * @param {{start: number, end: number}} screen the part of the window in which the text is visible
 * @returns {number}
 */
export function readFraction(text, screen) {
  const beyond = text.end - text.start - (screen.end - screen.start);
  if (beyond <= 0) return 1;
  const fraction = Math.min(Math.max((screen.start - text.start) / beyond, 0), 1);
  return fraction >= END ? 1 : fraction;
}

/**
 * Returns the progress in words: "35% · 4 min left", or "Page 3 of 8 · 4 min left".
 * @param {number} fraction
 * @param {number | null | undefined} minutes for the whole article; nothing is said about the time without
 * @param {{page: number, pages: number}} [place] where the layout has pages; the first one is 1
 * @returns {string}
 */
export function progressText(fraction, minutes, place) {
  const minutesLeft = Math.max(Math.ceil(minutes * (1 - fraction)), 1);
  const left = fraction < 1 && minutes && t('{minutes} min left', { minutes: minutesLeft });
  if (place) return [t('Page {page} of {pages}', place), left].filter(Boolean).join(' · ');
  if (fraction === 1) return t('Read to the end');
  return [t('{percent}%', { percent: Math.floor(fraction * 100) }), left].filter(Boolean).join(' · ');
}

/**
 * Returns the character at which to continue.
 * @param {{content_hash: string, last_read_character_index: number, percentage_complete: number}} progress
 * @param {{hash: string, length: number}} text its length in UTF-16 units
 * @returns {number} an index below the length, or 0
 */
export function continueAt(progress, { hash, length }) {
  // Of another version of the text, or in the count of another app, only the fraction means something.
  const index = progress.content_hash === hash
    ? progress.last_read_character_index
    : Math.floor(progress.percentage_complete * length);
  return Math.max(Math.min(index, length - 1), 0);
}
