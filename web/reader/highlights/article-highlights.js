// The highlights of the open article: loading, showing and changing them.

import { t } from '../../shared/locale/translate.js';
import { showError, showToast } from '../../shared/ui/toast.js';
import { ArticleText } from '../article-text.js';
import { FoldedText } from './folded-text.js';
import { showMarks } from './highlight-marks.js';
import { describePassage, isShownAlike, MAX_QUOTE, placeOf } from './highlight-places.js';
import { deleteHighlight, fetchHighlights, insertHighlight, keepHighlights, updateHighlight }
  from './highlights-api.js';

/** @typedef {import('./highlight-places.js').Highlight} Highlight */

export class ArticleHighlights {
  #body;
  #onChange;
  #link = null;
  /** The article's `text_content`. */
  #stored;
  /** Highlight id → row. @type {Map<string, Highlight>} */
  #rows = new Map();
  /** How many changes of rows were stored here or received from other devices. */
  #changes = 0;
  /** Ids of the highlights whose passages the page shows. */
  #shown = new Set();

  /**
   * @param {HTMLElement} body contains the article
   * @param {() => void} onChange called after highlights were loaded or changed
   */
  constructor(body, onChange) {
    this.#body = body;
    this.#onChange = onChange;
  }

  /** The open link, or null. */
  get link() {
    return this.#link;
  }

  /**
   * Shows the highlights of an article that was just rendered.
   * @param {import('../../shared/links/link-text.js').Link} link
   * @param {{text_content?: string}} article
   */
  async open(link, article) {
    if (this.#link?.id !== link.id) this.close();
    this.#link = link;
    this.#stored = new FoldedText(article.text_content ?? '');
    // Without rows there is nothing to show, and looking for the selection would have the browser lay out the article.
    if (this.#rows.size) this.#render();
    else this.#onChange();
    await this.reload();
  }

  close() {
    this.#link = null;
    this.#rows.clear();
    this.#shown.clear();
  }

  /** Fetches the highlights again: another device may have changed them. */
  async reload() {
    const link = this.#link;
    const changes = this.#changes;
    const rows = link && await fetchHighlights(link.id).catch(() => null);
    if (!rows || this.#link !== link) return undefined;
    // The answer may be older than what has changed in the meantime.
    if (this.#changes !== changes) return this.reload();
    const isSame = rows.length === this.#rows.size && rows.every((row) => isShownAlike(this.#rows.get(row.id), row));
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    if (!isSame) this.#render();
    return undefined;
  }

  /** @returns {Highlight[]} in the order of the text, lost ones last */
  all() {
    const position = ({ id, start_offset: start }) => (this.#shown.has(id) ? start ?? 0 : Infinity);
    return [...this.#rows.values()].sort((a, b) => position(a) - position(b) || 0);
  }

  /** @param {string} id */
  get(id) {
    return this.#rows.get(id);
  }

  /**
   * Tells whether the article shows the passage of a highlight.
   * @param {string} id
   */
  isShown(id) {
    return this.#shown.has(id);
  }

  /**
   * Returns the passage that a range of the document covers, or null if it has no text of the article.
   * @param {Range} range
   */
  passageOf(range) {
    if (!this.#link || !range.intersectsNode(this.#body)) return null;
    const text = new ArticleText(this.#body);
    const page = new FoldedText(text.text);
    const offsets = page.trim(text.offsetsOf(range));
    return offsets && describePassage(page, this.#stored, offsets);
  }

  /**
   * Highlights a passage.
   * @param {Partial<Highlight>} passage
   * @param {string} color
   * @returns {Promise<Highlight | null>} null after a failure, which the user was told
   */
  add(passage, color) {
    if ([...passage.quote].length > MAX_QUOTE) {
      showToast(t('This passage is too long. A highlight has at most {max} characters.', { max: MAX_QUOTE }));
      return null;
    }
    return this.#store(() => insertHighlight({ ...passage, color, link_id: this.#link.id }));
  }

  /**
   * Changes a highlight.
   * @param {string} id
   * @param {{color?: string, note?: string | null}} changes
   * @param {(error: Error) => void} [onFailed] shows why it was not changed
   * @returns {Promise<Highlight | null>} null after a failure, and if the article was left
   */
  change(id, changes, onFailed) {
    return this.#store(() => updateHighlight(this.#rows.get(id), changes), onFailed);
  }

  /**
   * Deletes a highlight and offers to undo that.
   * @param {string} id
   */
  async remove(id) {
    const { orphaned_at: lostAt, ...row } = this.#rows.get(id);
    try {
      await deleteHighlight(this.#rows.get(id));
    } catch (error) {
      showError(error);
      return;
    }
    this.#changes += 1;
    this.#rows.delete(id);
    this.#keep();
    this.#render();
    showToast(t('Highlight deleted.'), () => this.#store(() => insertHighlight(row)));
  }

  /**
   * Shows a change that another device has made.
   * @param {import('../../shared/api/realtime.js').Change} change of the relation `highlights`
   */
  receive({ record, old_record: key }) {
    this.#changes += 1;
    const id = record?.id ?? key.id;
    const before = this.#rows.get(id);
    if (record && record.link_id === this.#link?.id) this.#rows.set(id, record);
    else this.#rows.delete(id);
    // Most changes are those of this page.
    if (!isShownAlike(before, this.#rows.get(id))) this.#render();
  }

  async #store(request, onFailed = showError) {
    const link = this.#link;
    try {
      const row = await request();
      if (this.#link !== link) return null;
      this.#changes += 1;
      // The change may have come over the socket before. To show it again would take the focus from its buttons.
      const isShown = isShownAlike(this.#rows.get(row.id), row);
      this.#rows.set(row.id, row);
      this.#keep();
      if (!isShown) this.#render();
      return row;
    } catch (error) {
      onFailed(error);
      return null;
    }
  }

  #keep() {
    keepHighlights(this.#link.id, [...this.#rows.values()]);
  }

  #render() {
    const findPlaces = (text) => {
      const page = new FoldedText(text.text);
      return [...this.#rows.values()].flatMap((row) => {
        const place = placeOf(page, this.#stored, row);
        return place ? [{ ...place, id: row.id, color: row.color, note: row.note }] : [];
      });
    };
    const places = showMarks(this.#body, () => new ArticleText(this.#body), findPlaces);
    this.#shown = new Set(places.map(({ id }) => id));
    this.#onChange();
  }
}
