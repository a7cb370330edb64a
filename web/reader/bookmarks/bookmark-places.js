// What is stored of a place in an article, and where it is. This module does not use the DOM.

import { fold } from '../highlights/folded-text.js';
import { describePassage, placeOf } from '../highlights/highlight-places.js';

/** How much of the text at the place is stored, in UTF-16 units. */
const QUOTE = 120;

/** How much of it is the name until the user gives another one, in characters. */
const NAME = 60;

/** The longest name that the server stores, in characters. */
export const MAX_NAME = 200;

/**
 * Returns what is stored of a place; null at the end of the text.
 * @param {import('../highlights/folded-text.js').FoldedText} page the text that the page shows
 * @param {import('../highlights/folded-text.js').FoldedText} stored the article's `text_content`
 * @param {number} index of the first character
 * @returns {{name: string, quote: string, start_offset?: number} | null}
 */
export function describePlace(page, stored, index) {
  const end = Math.min(index + QUOTE, page.text.length);
  const range = page.trim({ start: index, end: end - (isHalf(page.text, end) ? 1 : 0) });
  if (!range) return null;
  const { quote, start_offset } = describePassage(page, stored, range);
  const words = quote.replace(/\s+/g, ' ');
  const name = [...words].slice(0, NAME).join('');
  return {
    name: name.length < words.length ? `${name.replace(/ \S*$/, '')}…` : name,
    quote,
    ...(start_offset !== undefined && { start_offset }),
  };
}

/**
 * Returns the range of the page with which a place begins, or null if the page does not show it.
 * @param {import('../highlights/folded-text.js').FoldedText} page
 * @param {import('../highlights/folded-text.js').FoldedText} stored
 * @param {import('./bookmarks-api.js').Bookmark} bookmark
 * @returns {import('../highlights/folded-text.js').TextRange | null}
 */
export function rangeOfPlace(page, stored, { quote, start_offset: start = null }) {
  const end = start === null ? null : start + quote.length;
  const range = placeOf(page, stored, { quote, prefix: null, suffix: null, start_offset: start, end_offset: end });
  // The server does not move bookmarks, so other words at the offset are another place.
  return range && fold(page.text.slice(range.start, range.end)) === fold(quote) ? range : null;
}

function isHalf(text, end) {
  return end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1]);
}
