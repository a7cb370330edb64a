// The article in pages: columns as high as the window, of which one is shown. The browser breaks the text into columns;
// where each begins in the text is measured between other work.

import { LayoutCache, layoutKey } from './layout-cache.js';
import { clampPage, pageAt, pageFraction, pageOf } from './page-layout.js';
import { MeasuredText, measureStarts } from './page-starts.js';
import { isFramed, pageWay, placeExtent } from '../writing/axis.js';
import { hasPages } from './show-on-page.js';

export class PagedText {
  #article;
  #body;
  #onTurn;
  #cache = new LayoutCache();
  #hash = '';
  /** @type {import('./page-layout.js').Layout | null} */
  #layout = null;
  #measuring = new AbortController();

  /** The page that is shown, from 0. */
  page = 0;

  /** How many pages there are, with those after the text. */
  pages = 1;

  /**
   * @param {HTMLElement} section the reader
   * @param {() => void} onTurn called after another page was shown because the user wanted it
   */
  constructor(section, onTurn) {
    this.#article = section.querySelector('article');
    this.#body = section.querySelector('.body');
    this.#onTurn = onTurn;
    section.addEventListener('show-on-page', (event) => {
      if (!hasPages()) return;
      event.preventDefault();
      this.#turnTo(event.detail);
    });
    this.#article.addEventListener('scroll', () => this.#align());
    section.addEventListener('focusin', ({ target }) => this.#followFocus(target));
  }

  /** Whether the article is at its beginning. */
  get isAtStart() {
    return this.page === 0;
  }

  /** Whether there is progress to be told: always, as there are pages to be turned. */
  get hasProgress() {
    return true;
  }

  /**
   * Begins with an article, or computes the pages again after anything about them has changed.
   * @param {string} [hash] of the text
   */
  update(hash = this.#hash) {
    this.#hash = hash;
    this.#measuring.abort();
    this.#layout = null;
    if (!isFramed()) return;
    const { clientHeight, clientWidth, style } = this.#article;
    style.setProperty('--page-height', `${clientHeight}px`);
    style.setProperty('--page-width', `${clientWidth}px`);
    if (!hasPages()) return;
    this.#article.dataset.direction = getComputedStyle(this.#body).direction;
    const length = pageWay() === 'down' ? this.#article.scrollHeight : this.#article.scrollWidth;
    this.pages = Math.max(Math.round((length + this.#gap) / this.#step), 1);
    this.page = clampPage(this.page, this.pages);
    if (hash) this.#measure();
  }

  /** Which fraction of the text has been read, 0 to 1. */
  fraction() {
    const end = this.#body.getClientRects();
    const last = end[end.length - 1];
    return pageFraction(this.page, last ? this.#pageOfRect(last) + 1 : 1);
  }

  /** The index of the first character of the page. */
  index() {
    if (this.#layout) return this.#layout.starts[this.page];
    return new MeasuredText(this.#body).indexAfter(this.#places()(this.page));
  }

  /**
   * Shows the page of a character.
   * @param {number} index
   */
  show(index) {
    if (this.#layout) this.#show(pageOf(this.#layout, index));
    else {
      const rect = index > 0 ? new MeasuredText(this.#body).rectAt(index) : undefined;
      this.#show(rect ? this.#pageOfRect(rect) : 0);
    }
  }

  /**
   * Turns pages.
   * @param {number} count negative ones turn back
   * @returns {boolean} whether there was a page to turn to
   */
  turn(count) {
    return this.#turnToPage(clampPage(this.page + count, this.pages));
  }

  #turnTo(place) {
    // A bar that appears moves the text to other pages before the ResizeObserver runs.
    const { clientHeight, style } = this.#article;
    if (style.getPropertyValue('--page-height') !== `${clientHeight}px`) this.update();
    const rect = place.getClientRects()[0];
    if (rect) this.#turnToPage(this.#pageOfRect(rect));
  }

  #turnToPage(page) {
    const isOther = page !== this.page;
    this.#show(page);
    if (isOther) this.#onTurn();
    return isOther;
  }

  #show(page) {
    this.page = clampPage(page, this.pages);
    const distance = this.page * this.#step;
    const way = pageWay();
    const [left, top] = way === 'down' ? [0, distance] : [way === 'left' ? -distance : distance, 0];
    this.#article.scrollTo({ left, top, behavior: 'instant' });
  }

  // Finding in the page, selecting and the focus scroll the strip of pages to any place. A found word is in the middle.
  #align() {
    if (!hasPages()) return;
    const { along, across } = this.#scrolled;
    const page = clampPage(Math.round(along / this.#step), this.pages);
    const isAligned = Math.abs(along - page * this.#step) < 2 && !across;
    if (!isAligned || page !== this.page) this.#turnToPage(page);
  }

  // What the keyboard reaches is on the page. The parts that get the focus from the page itself are not in its order.
  #followFocus(target) {
    if (!hasPages() || target.tabIndex < 0 || !this.#article.contains(target)) return;
    // The browser has scrolled by then; a button that was pressed may have moved the focus on.
    requestAnimationFrame(() => document.activeElement === target && this.#turnTo(target));
  }

  async #measure() {
    const { width, height } = this.#article.getBoundingClientRect();
    const { dataset, style } = document.documentElement;
    const key = layoutKey({ hash: this.#hash, width, height, style: `${dataset.writing ?? ''} ${style.cssText}` });
    const { pages } = this;
    const kept = this.#cache.get(key);
    // Pictures and folded parts change the pages, too.
    if (kept?.pages === pages) {
      this.#layout = kept;
      return;
    }
    this.#measuring = new AbortController();
    const { signal } = this.#measuring;
    const starts = await measureStarts(new MeasuredText(this.#body), pages, () => this.#places(), signal);
    if (!starts) return;
    this.#layout = { pages, starts };
    this.#cache.set(key, this.#layout);
  }

  get #gap() {
    return Number.parseFloat(getComputedStyle(this.#article).columnGap) || 0;
  }

  // From the beginning of one page to the beginning of the next.
  get #step() {
    const { start, end } = placeExtent(this.#article);
    return end - start + this.#gap;
  }

  // How far the strip of pages is scrolled, and how far to its sides.
  get #scrolled() {
    const [x, y] = [Math.abs(this.#article.scrollLeft), this.#article.scrollTop];
    return pageWay() === 'down' ? { along: y, across: x } : { along: x, across: y };
  }

  #pageOfRect(rect) {
    const distance = placeExtent(rect).start - placeExtent(this.#article).start;
    return clampPage(pageAt(distance + this.#scrolled.along, this.#step), this.pages);
  }

  // Returns for each page how to tell whether a box is before it.
  #places() {
    const first = placeExtent(this.#article).start - this.#scrolled.along;
    const step = this.#step;
    return (page) => (rect) => placeExtent(rect).end <= first + page * step + 1;
  }
}
