// Finding the quotes of an e-reader in articles. Its texts differ from the articles in white space, and in soft hyphens.

import { FoldedText, fold } from '../../reader/highlights/folded-text.js';
import { describePassage } from '../../reader/highlights/highlight-places.js';

/**
 * Returns the rows of `highlights` for the quotes that an article has, each passage once.
 * @param {string} text the article's `text_content`
 * @param {import('./clippings.js').Clip[]} clips
 * @param {{quote: string}[]} known the highlights of the article
 * @returns {{rows: object[], known: number, rest: import('./clippings.js').Clip[]}} `known` counts those that are there,
 *   `rest` are those that the article does not have
 */
export function findPassages(text, clips, known) {
  const folded = new FoldedText(text);
  const seen = new Set(known.map(({ quote }) => fold(quote)));
  const found = { rows: [], known: 0, rest: [] };
  for (const clip of clips) {
    const quote = fold(clip.quote.replaceAll('\u00AD', ''));
    const place = quote ? folded.units.indexOf(quote) : -1;
    if (seen.has(quote)) {
      found.known += 1;
    } else if (place < 0) {
      found.rest.push(clip);
    } else {
      seen.add(quote);
      const note = clip.note.trim().slice(0, MAX_NOTE);
      const range = folded.range(place, place + quote.length);
      found.rows.push({ ...describePassage(folded, folded, range), note: note || null, color: clip.color ?? 'yellow' });
    }
  }
  return found;
}

/** Characters of the longest note that the server stores. */
const MAX_NOTE = 20_000;
