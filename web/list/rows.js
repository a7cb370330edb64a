// The rows of a list in the document.

import { RowRecycler } from './row-recycler.js';

export class Rows {
  /** The element whose children are the rows. */
  rows;
  #recycler;
  #byId = new Map();

  /**
   * @param {HTMLElement} element
   * @param {(id: string) => void} onFilled renders the link of a row that has its elements again
   */
  constructor(element, onFilled) {
    this.rows = element;
    this.#recycler = new RowRecycler(element, onFilled);
  }

  /**
   * Adds rows at the end, or moves one to the top.
   * @param {HTMLLIElement[]} rows
   * @param {{atTop?: boolean}} [options]
   */
  insert(rows, { atTop = false } = {}) {
    for (const row of rows) {
      this.#byId.set(row.dataset.id, row);
      this.#recycler.watch(row);
    }
    if (atTop) this.rows.prepend(...rows);
    else this.rows.append(...rows);
  }

  /** Takes all rows out of the document. */
  clearRows() {
    this.#byId.clear();
    this.rows.replaceChildren();
  }

  /** Whether no row is visible. */
  get isEmpty() {
    return !this.rows.querySelector(':scope > li:not([hidden])');
  }

  /** The ids of the visible rows, in their order. */
  get ids() {
    return this.#visible.map((row) => row.dataset.id);
  }

  /**
   * Returns the row of a link, or null if the list does not have it.
   * @param {string} id
   * @returns {HTMLLIElement | null}
   */
  row(id) {
    const row = this.#byId.get(id);
    return row?.parentNode === this.rows ? row : null;
  }

  /**
   * The row of a link with its content, which rows far from the screen lack.
   * @param {string} id
   * @returns {HTMLLIElement | null}
   */
  wholeRow(id) {
    return this.#recycler.fill(this.row(id));
  }

  /**
   * Returns a visible row relative to another one.
   * @param {Element | null} row null counts as the place before the first row
   * @param {1 | -1} offset
   * @returns {HTMLLIElement | undefined}
   */
  neighbour(row, offset) {
    const rows = this.#visible;
    return this.#recycler.fill(rows[rows.indexOf(row) + offset]);
  }

  get #visible() {
    return [...this.rows.querySelectorAll(':scope > li:not([hidden])')];
  }
}
