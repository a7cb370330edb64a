// The bookmarks of the open article: loading, changing and going to them.

import { t } from '../../shared/locale/translate.js';
import { showMessage } from '../../shared/ui/messages.js';
import { showError, showToast } from '../../shared/ui/toast.js';
import { ArticleText } from '../article-text.js';
import { FoldedText } from '../highlights/folded-text.js';
import { showOnPage } from '../pages/show-on-page.js';
import { READING_MESSAGES } from '../reading-messages.js';
import { placeExtent, readingStart, scrollAlong } from '../writing/axis.js';
import { describePlace, rangeOfPlace } from './bookmark-places.js';
import {
  deleteBookmark, fetchBookmarks, insertBookmark, keepBookmarks, renameBookmark,
} from './bookmarks-api.js';

/** @typedef {import('./bookmarks-api.js').Bookmark} Bookmark */

/** Distance between the place and where text on the screen begins, in pixels. */
const GAP = 12;

export class ArticleBookmarks {
  #body;
  #onChange;
  #link = null;
  /** The article's `text_content`. */
  #stored;
  #isLoaded = false;
  /** How many times bookmarks have been changed here. */
  #changes = 0;

  /** @type {Bookmark[]} */
  rows = [];

  /**
   * @param {HTMLElement} reader
   * @param {() => void} onChange called after bookmarks were loaded or changed
   */
  constructor(reader, onChange) {
    this.#body = reader.querySelector('.body');
    this.#onChange = onChange;
  }

  /**
   * Begins with an article.
   * @param {import('../../shared/links/link-text.js').Link} link
   * @param {{text_content?: string}} article
   */
  open(link, article) {
    this.close();
    this.#link = link;
    this.#stored = new FoldedText(article.text_content ?? '');
  }

  close() {
    this.#link = null;
    this.#isLoaded = false;
    this.#show([]);
  }

  /** Fetches the bookmarks; another device may have changed them. */
  async load() {
    const link = this.#link;
    if (!link) return;
    const changes = this.#changes;
    const rows = await fetchBookmarks(link.id);
    if (this.#link !== link) return;
    if (changes !== this.#changes) {
      // The answer may be from before the change.
      await this.load();
      return;
    }
    this.#isLoaded = true;
    this.#show(rows);
  }

  /**
   * Adds a bookmark.
   * @param {number} index of the character with which the place begins
   * @returns {Promise<Bookmark | null>} null after a failure, which the user was told
   */
  async add(index) {
    const text = new ArticleText(this.#body).text;
    const place = describePlace(new FoldedText(text), this.#stored, index);
    if (!place) {
      showMessage(READING_MESSAGES.noText);
      return null;
    }
    const link = this.#link;
    // What is kept in this browser has all of them.
    if (!this.#isLoaded) await this.load().catch(() => {});
    if (this.#link !== link) return null;
    const row = await this.#change(() => insertBookmark({ ...place, link_id: link.id }));
    if (row) showToast(t('Bookmark added: {name}', { name: row.name }), () => this.#remove(row));
    return row;
  }

  /**
   * @param {Bookmark} row
   * @param {string} name
   */
  rename(row, name) {
    return this.#change(() => renameBookmark(row, name));
  }

  /**
   * Deletes a bookmark and offers to undo that.
   * @param {Bookmark} row
   */
  async remove(row) {
    const isRemoved = await this.#remove(row);
    if (isRemoved) showToast(t('Bookmark deleted.'), () => this.#change(() => insertBookmark(row)));
  }

  /**
   * Shows the place of a bookmark.
   * @param {Bookmark} row
   * @returns {boolean} whether the text has it
   */
  goTo(row) {
    const text = new ArticleText(this.#body);
    const offsets = rangeOfPlace(new FoldedText(text.text), this.#stored, row);
    if (!offsets) return false;
    const range = text.rangeOf(offsets);
    const block = range.startContainer.parentElement;
    block.tabIndex = -1;
    block.focus({ preventScroll: true });
    if (showOnPage(range)) return true;
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
    scrollAlong(placeExtent(range.getClientRects()[0]).start - readingStart() - GAP, behavior);
    return true;
  }

  async #remove(row) {
    const link = this.#link;
    try {
      await deleteBookmark(row);
    } catch (error) {
      showError(error);
      return false;
    }
    if (this.#link === link) this.#keep(this.rows.filter(({ id }) => id !== row.id));
    return true;
  }

  async #change(request) {
    const link = this.#link;
    try {
      const row = await request();
      if (this.#link !== link) return null;
      this.#keep([...this.rows.filter(({ id }) => id !== row.id), row]);
      return row;
    } catch (error) {
      showError(error);
      return null;
    }
  }

  #keep(rows) {
    this.#changes += 1;
    this.#show(rows);
    keepBookmarks(this.#link.id, rows);
  }

  #show(rows) {
    this.rows = rows.toSorted((a, b) => (a.start_offset ?? Infinity) - (b.start_offset ?? Infinity) || 0);
    this.#onChange();
  }
}
