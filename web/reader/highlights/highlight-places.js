// Where the highlights of an article are, and what is stored of a new one. The server keeps the offsets of a
// highlight in step with the article's `text_content`; the page shows a text with other white space.

import { convertRange, fold, nearest } from './folded-text.js';

/** Length of the context that is stored before and after a quote, in UTF-16 units. */
const CONTEXT = 32;

/** The longest quote that the server stores, in characters. */
export const MAX_QUOTE = 20_000;

/** The columns that the page shows. */
const SHOWN = ['quote', 'note', 'color', 'start_offset', 'end_offset', 'orphaned_at'];

/**
 * A row of the relation `highlights`.
 * @typedef {object} Highlight
 * @property {string} id
 * @property {string} quote
 * @property {string | null} prefix
 * @property {string | null} suffix
 * @property {number | null} start_offset in the article's `text_content`, in UTF-16 units
 * @property {number | null} end_offset
 * @property {string | null} note
 * @property {string} color
 * @property {string | null} orphaned_at since when the article no longer has the passage
 */

/**
 * Returns what is stored of a passage that the user selected.
 * @param {import('./folded-text.js').FoldedText} page the text that the page shows
 * @param {import('./folded-text.js').FoldedText} stored the article's `text_content`
 * @param {import('./folded-text.js').TextRange} range of the page, with no white space at its ends
 * @returns {{quote: string, prefix: string, suffix: string, start_offset?: number, end_offset?: number}}
 */
export function describePassage(page, stored, range) {
  const place = convertRange(page, stored, range);
  const { text } = place ? stored : page;
  const { start, end } = place ?? range;
  return {
    quote: text.slice(start, end),
    prefix: text.slice(Math.max(0, start - CONTEXT), start).replace(/^[\uDC00-\uDFFF]/, ''),
    suffix: text.slice(end, end + CONTEXT).replace(/[\uD800-\uDBFF]$/, ''),
    // Without offsets, the server searches the passage.
    ...(place && { start_offset: start, end_offset: end }),
  };
}

/**
 * Returns the range of the page that a highlight covers, or null if the page does not show it.
 * @param {import('./folded-text.js').FoldedText} page
 * @param {import('./folded-text.js').FoldedText} stored
 * @param {Highlight} highlight
 * @returns {import('./folded-text.js').TextRange | null}
 */
export function placeOf(page, stored, highlight) {
  const { quote, prefix, suffix, start_offset: start, end_offset: end, orphaned_at: lostAt } = highlight;
  if (lostAt) return null;
  const units = fold(quote);
  const hasOffsets = start !== null && end !== null && end <= stored.text.length;
  if (hasOffsets && fold(stored.text.slice(start, end)) === units) {
    return convertRange(stored, page, { start, end });
  }
  // The offsets are missing, or belong to another version of the article.
  const expected = hasOffsets ? stored.indexFrom(start) : 0;
  const before = fold(prefix ?? '');
  const inContext = nearest(page.units, before + units + fold(suffix ?? ''), expected);
  const place = inContext < 0 ? nearest(page.units, units, expected) : inContext + before.length;
  if (place >= 0 && units) return page.range(place, place + units.length);
  // The server tolerates small changes of the words.
  return hasOffsets ? convertRange(stored, page, { start, end }) : null;
}

/**
 * Splits highlighted ranges, which may overlap, into segments that do not. The shortest range of a segment
 * comes first: it is the one that is seen and clicked.
 * @param {{id: string, start: number, end: number}[]} places
 * @returns {{start: number, end: number, ids: string[]}[]} in the order of the text
 */
export function splitIntoSegments(places) {
  const bounds = [...new Set(places.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const waiting = [...places].sort((a, b) => b.start - a.start);
  let covering = [];
  const segments = bounds.slice(1).map((end, index) => {
    const start = bounds[index];
    covering = covering.filter((place) => place.end > start);
    while (waiting.at(-1)?.start <= start) covering.push(waiting.pop());
    covering.sort((a, b) => a.end - a.start - (b.end - b.start));
    return { start, end, ids: covering.map(({ id }) => id) };
  });
  return segments.filter(({ ids }) => ids.length);
}

/**
 * Whether two versions of a highlight look the same on the page.
 * @param {Highlight | undefined} before
 * @param {Highlight | undefined} after
 * @returns {boolean}
 */
export function isShownAlike(before, after) {
  return before === after || (!!before && !!after && SHOWN.every((column) => before[column] === after[column]));
}
