// Marks the sentence and the word that are spoken, and keeps them in view. The marks are highlights of CSS, so the
// nodes of the article stay as they are; a browser without them shows no mark.

import { ArticleText } from '../article-text.js';
import { showOnPage } from '../pages/show-on-page.js';
import { placeExtent, screenExtent, scrollAlong } from '../writing/axis.js';

/** The part of the window in which a sentence is left where it is, and where another one is scrolled to. */
const FROM = 0.15;
const TO = 0.8;
const TARGET = 0.3;

const SENTENCE = 'spoken-sentence';
const WORD = 'spoken-word';

/** @typedef {{start: number, end: number}} TextRange */

export class SpokenMarks {
  #body;
  /** @type {ArticleText | null} */
  #text = null;

  /** @param {HTMLElement} body contains the article */
  constructor(body) {
    this.#body = body;
    // Highlights of the user split the nodes of the text.
    new MutationObserver(() => {
      this.#text = null;
    }).observe(body, { childList: true, subtree: true });
  }

  /**
   * Marks a sentence and scrolls to it unless it is in view.
   * @param {TextRange} range
   */
  showSentence(range) {
    this.#paint(WORD, null);
    this.#paint(SENTENCE, range);
    const place = this.#rangeOf(range);
    if (showOnPage(place)) return;
    const screen = screenExtent();
    const at = (part) => screen.start + (screen.end - screen.start) * part;
    const { start, end } = placeExtent(place);
    if (start > at(FROM) && end < at(TO)) return;
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
    scrollAlong(start - at(TARGET), behavior);
  }

  /** @param {TextRange} range */
  showWord(range) {
    this.#paint(WORD, range);
    // A sentence may go on on the next page.
    showOnPage(this.#rangeOf(range));
  }

  clear() {
    this.#paint(WORD, null);
    this.#paint(SENTENCE, null);
  }

  #paint(name, range) {
    if (range) CSS.highlights?.set(name, new Highlight(this.#rangeOf(range)));
    else CSS.highlights?.delete(name);
  }

  #rangeOf(range) {
    this.#text ??= new ArticleText(this.#body);
    return this.#text.rangeOf(range);
  }
}
