// The article as one long strip that is scrolled.

import {
  isVertical, placeExtent, readingStart, screenExtent, scrollAlong, scrollOffset,
} from '../writing/axis.js';
import { readFraction } from './progress-values.js';
import { indexAt, startOf } from './text-positions.js';

export class ScrolledText {
  #body;
  #strip;

  /** @param {HTMLElement} section the reader */
  constructor(section) {
    this.#body = section.querySelector('.body');
    this.#strip = section.querySelector('.reading-progress');
  }

  /** Whether the article is at its beginning. */
  get isAtStart() {
    return scrollOffset() === 0;
  }

  /** Whether there is progress to be told. An article that fits on the screen has none. */
  get hasProgress() {
    const [text, screen] = [placeExtent(this.#body), screenExtent()];
    return text.end - text.start >= screen.end - screen.start;
  }

  /** Which fraction of the text has been read, 0 to 1. */
  fraction() {
    return readFraction(placeExtent(this.#body), this.#screen());
  }

  /** The index of the first character on the screen. */
  index() {
    return indexAt(this.#body, readingStart());
  }

  /**
   * Scrolls to a character. The beginning has its title before it, so nothing moves there.
   * @param {number} index
   */
  show(index) {
    const start = startOf(this.#body, index);
    if (start !== null) scrollAlong(start - readingStart() - 2, 'instant');
  }

  #screen() {
    const isCovered = !isVertical() && !this.#strip.hidden;
    const { end } = isCovered ? { end: this.#strip.getBoundingClientRect().top } : screenExtent();
    return { start: readingStart(), end };
  }
}
