// How far the open article has been read: shown at the bottom of the window, saved while the user scrolls, and
// restored when the article is opened again, on whichever device and with whichever font.

import { fetchProgress, hashOfText, saveProgress } from './progress-api.js';
import { continueAt, progressText, readFraction } from './progress-values.js';
import { articleText, indexAt, topOf } from './text-positions.js';

/** The position is taken once scrolling has stopped for this long, and saved after the second delay. */
const SETTLE_MS = 150;
const SAVE_DELAY_MS = 1000;

export class ReadingProgress {
  #body;
  #tools;
  #strip;
  /** The progress that the server has, requested before the article is there. */
  #stored = { linkId: null, row: null };
  /**
   * The open article. A new object each time, so that what is late can be told from what is current.
   * @type {{linkId: string, minutes?: number, text: {hash: string, length: number}, index: number,
   *   fraction: number} | null}
   */
  #open = null;
  #settleTimer = null;
  #saveTimer = null;

  /** @param {HTMLElement} section the reader */
  constructor(section) {
    this.#body = section.querySelector('.body');
    this.#tools = section.querySelector('.tools');
    this.#strip = section.querySelector('.reading-progress');
    addEventListener('scroll', () => this.#onScroll(), { passive: true });
    // The text keeps its place when its lines break in other places.
    addEventListener('textsettings', () => this.#keepPlace());
    new ResizeObserver(() => this.#show()).observe(this.#body);
    let width = innerWidth;
    addEventListener('resize', () => {
      // A phone changes the height whenever it hides its own bars.
      if (width !== innerWidth) this.#keepPlace();
      width = innerWidth;
    });
    addEventListener('pagehide', () => this.#saveNow({ isLeaving: true }));
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.#saveNow({ isLeaving: true });
    });
  }

  /**
   * Requests the progress of a link that is about to be opened. Saves that of the last one.
   * @param {string} linkId
   */
  expect(linkId) {
    this.close();
    this.#stored = { linkId, row: fetchProgress(linkId) };
  }

  /**
   * Begins with an article that has just been rendered, at the place where the user has stopped.
   * @param {string} linkId
   * @param {number} [minutes] reading time
   */
  async open(linkId, minutes) {
    const text = articleText(this.#body);
    const open = { linkId, minutes, text: { hash: '', length: text.length }, index: 0, fraction: 0 };
    this.#open = open;
    const stored = this.#stored.linkId === linkId ? this.#stored.row : null;
    this.#stored = { linkId: null, row: null };
    const [hash, row] = await Promise.all([hashOfText(text, linkId), stored]);
    if (this.#open !== open) return;
    open.text.hash = hash;
    // Whoever has scrolled on by now is not sent elsewhere.
    if (row && scrollY === 0) {
      open.index = continueAt(row, open.text);
      this.#keepPlace();
    }
    this.#show();
  }

  /** Ends with the article, and saves how far it was read. */
  close() {
    this.#saveNow();
    this.#open = null;
    this.#strip.hidden = true;
  }

  // The tools are at the top of the window wherever text is behind them.
  #screen() {
    const bottom = this.#strip.hidden ? innerHeight : this.#strip.getBoundingClientRect().top;
    return { top: this.#tools.offsetHeight, bottom };
  }

  #fraction() {
    return readFraction(this.#body.getBoundingClientRect(), this.#screen());
  }

  #onScroll() {
    if (!this.#open) return;
    this.#show();
    clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => this.#onSettled(), SETTLE_MS);
  }

  #onSettled() {
    clearTimeout(this.#settleTimer);
    this.#settleTimer = null;
    const index = indexAt(this.#body, this.#screen().top);
    if (!this.#open?.text.hash || index === this.#open.index) return;
    Object.assign(this.#open, { index, fraction: this.#fraction() });
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => this.#saveNow(), SAVE_DELAY_MS);
  }

  #saveNow(options) {
    if (this.#settleTimer !== null) this.#onSettled();
    if (this.#saveTimer === null) return;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = null;
    const { linkId, text, index, fraction } = this.#open;
    saveProgress({
      content_hash: text.hash,
      link_id: linkId,
      last_read_character_index: index,
      percentage_complete: fraction,
    }, options);
  }

  // Scrolls to the place that was last read. The beginning has its title above it, so nothing moves there.
  #keepPlace() {
    if (!this.#open?.index) return;
    const top = topOf(this.#body, this.#open.index);
    if (top !== null) scrollBy({ top: top - this.#screen().top - 2, behavior: 'instant' });
    this.#show();
  }

  #show() {
    // An article that fits on the screen has no progress to tell.
    this.#strip.hidden = !this.#open || this.#body.offsetHeight < innerHeight;
    if (this.#strip.hidden) return;
    const fraction = this.#fraction();
    const text = progressText(fraction, this.#open.minutes);
    const bar = this.#strip.querySelector('progress');
    bar.value = fraction;
    bar.ariaValueText = text;
    this.#strip.querySelector('span').textContent = text;
  }
}
