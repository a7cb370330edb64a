// The article as one long strip that is scrolled with the window.

import { readFraction } from './progress-values.js';
import { indexAt, topOf } from './text-positions.js';

export class ScrolledText {
  #body;
  #tools;
  #strip;

  /** @param {HTMLElement} section the reader */
  constructor(section) {
    this.#body = section.querySelector('.body');
    this.#tools = section.querySelector('.tools');
    this.#strip = section.querySelector('.reading-progress');
  }

  /** Whether the article is at its beginning. */
  get isAtStart() {
    return scrollY === 0;
  }

  /** Whether there is progress to be told. An article that fits on the screen has none. */
  get hasProgress() {
    return this.#body.offsetHeight >= innerHeight;
  }

  /** Which fraction of the text has been read, 0 to 1. */
  fraction() {
    return readFraction(this.#body.getBoundingClientRect(), this.#screen());
  }

  /** The index of the first character on the screen. */
  index() {
    return indexAt(this.#body, this.#screen().top);
  }

  /**
   * Scrolls to a character. The beginning has its title above it, so nothing moves there.
   * @param {number} index
   */
  show(index) {
    const top = index ? topOf(this.#body, index) : null;
    if (top !== null) scrollBy({ top: top - this.#screen().top - 2, behavior: 'instant' });
  }

  // The tools are at the top of the window wherever text is behind them.
  #screen() {
    const bottom = this.#strip.hidden ? innerHeight : this.#strip.getBoundingClientRect().top;
    return { top: this.#tools.offsetHeight, bottom };
  }
}
