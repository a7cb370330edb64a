// How far the open article has been read: shown at the bottom of the window, saved while the user scrolls, and
// restored when the article is opened again, on whichever device and with whichever font and layout.

import { PagedText } from '../pages/paged-text.js';
import { hasPages } from '../pages/show-on-page.js';
import { setUpTurning } from '../pages/turning.js';
import { isFramed, scrollOffset } from '../writing/axis.js';
import { fetchProgress, hashOfText, saveProgress } from './progress-api.js';
import { continueAt, progressText } from './progress-values.js';
import { ScrolledText } from './scrolled-text.js';
import { articleText } from './text-positions.js';

/** The position is taken once scrolling has stopped for this long, and saved after the second delay. */
const SETTLE_MS = 150;
const SAVE_DELAY_MS = 1000;

export class ReadingProgress {
  #body;
  #strip;
  #scrolled;
  #paged;
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
  #layoutTimer = null;
  /** Where the text was last shown by itself; null once it was scrolled. */
  #shownAt = null;

  /** @param {HTMLElement} section the reader */
  constructor(section) {
    this.#body = section.querySelector('.body');
    this.#strip = section.querySelector('.reading-progress');
    this.#scrolled = new ScrolledText(section);
    this.#paged = new PagedText(section, () => this.#onTurned());
    setUpTurning(section, this.#paged);
    const article = section.querySelector('article');
    // An article with vertical lines is scrolled by itself.
    for (const each of [document, article]) each.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    // The text keeps its place when its lines break in other places. What the user has just scrolled to is taken before.
    addEventListener('beforetextsettings', () => this.#settleTimer !== null && this.#onSettled());
    addEventListener('textsettings', () => this.#keepPlace());
    new ResizeObserver(() => this.#show()).observe(this.#body);
    let width = innerWidth;
    addEventListener('resize', () => {
      // A phone changes the height whenever it hides its own bars.
      if (width !== innerWidth && !isFramed()) this.#keepPlace();
      width = innerWidth;
    });
    new ResizeObserver(() => isFramed() && this.#keepPlace()).observe(article);
    for (const type of ['load', 'toggle']) {
      this.#body.addEventListener(type, () => this.#onLayoutChanged(), { capture: true });
    }
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
    // What is read is saved by the hash, also before the server tells where reading had stopped.
    const hashed = hashOfText(text, linkId).then((hash) => { open.text.hash = hash; });
    const [row] = await Promise.all([stored, hashed]);
    if (this.#open !== open) return;
    // Whoever has moved on by now is not sent elsewhere, and a scroll that is under way goes on.
    const hasMoved = !this.#text.isAtStart;
    if (hasMoved) this.#onSettled();
    else if (row) open.index = continueAt(row, open.text);
    if (hasMoved && !hasPages()) {
      this.#paged.update(open.text.hash);
      this.#show();
    } else {
      this.#keepPlace();
    }
  }

  /** Ends with the article, and saves how far it was read. */
  close() {
    this.#saveNow();
    this.#open = null;
    this.#strip.hidden = true;
  }

  /** The index of the first character on the screen. */
  get currentIndex() {
    return this.#text.index();
  }

  get #text() {
    return hasPages() ? this.#paged : this.#scrolled;
  }

  #onScroll() {
    if (!this.#open || hasPages()) return;
    this.#show();
    const isByItself = scrollOffset() === this.#shownAt;
    this.#shownAt = null;
    if (isByItself) return;
    clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => this.#onSettled(), SETTLE_MS);
  }

  #onTurned() {
    if (!this.#open) return;
    this.#show();
    this.#onSettled();
  }

  // Pictures that have loaded and folded parts make other pages.
  #onLayoutChanged() {
    if (!this.#open || !hasPages()) return;
    clearTimeout(this.#layoutTimer);
    this.#layoutTimer = setTimeout(() => this.#keepPlace(), SETTLE_MS);
  }

  #onSettled() {
    clearTimeout(this.#settleTimer);
    this.#settleTimer = null;
    if (!this.#open?.text.hash) return;
    const index = this.#text.index();
    if (index === this.#open.index) return;
    Object.assign(this.#open, { index, fraction: this.#text.fraction() });
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => this.#saveNow(), SAVE_DELAY_MS);
  }

  #saveNow(options) {
    // The page may be left before it has been told that it was scrolled.
    if (this.#settleTimer !== null || options?.isLeaving) this.#onSettled();
    if (this.#saveTimer === null) return;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = null;
    const { linkId, text, index, fraction } = this.#open;
    saveProgress({
      content_hash: text.hash,
      link_id: linkId,
      last_read_character_index: index,
      percentage_complete: fraction,
      ...(hasPages() && { last_page_number: this.#paged.page + 1, total_pages: this.#paged.pages }),
    }, options);
  }

  // Shows the place that was last read, after the lines have changed or for the first time.
  #keepPlace() {
    clearTimeout(this.#layoutTimer);
    if (!this.#open) return;
    // The user has just scrolled there.
    if (this.#settleTimer !== null) this.#onSettled();
    this.#paged.update(this.#open.text.hash);
    this.#text.show(this.#open.index);
    this.#shownAt = scrollOffset();
    this.#show();
  }

  #show() {
    this.#strip.hidden = !this.#open || !this.#text.hasProgress;
    if (this.#strip.hidden) return;
    const fraction = this.#text.fraction();
    const { page, pages } = this.#paged;
    const text = progressText(fraction, this.#open.minutes, hasPages() ? { page: page + 1, pages } : undefined);
    const bar = this.#strip.querySelector('progress');
    bar.value = fraction;
    bar.ariaValueText = text;
    const words = this.#strip.querySelector('span');
    words.ariaLive = hasPages() ? 'polite' : 'off';
    if (words.textContent !== text) words.textContent = text;
  }
}
