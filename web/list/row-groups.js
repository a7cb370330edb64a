// The rows of a list in the document. They stand in groups, so that the browser lays out only those near the screen.

import { createRowGroup } from './card.js';
import { RowVirtualizer } from './row-virtualizer.js';

/** Rows in one group: few enough that giving a group its content again is no long task. */
const GROUP_SIZE = 10;

export class RowGroups {
  /** The element whose children are the groups of rows. */
  rows;
  #virtualizer;
  #byId = new Map();

  /**
   * @param {HTMLElement} element
   * @param {(id: string) => void} onFilled renders the link of a row that has its elements again
   */
  constructor(element, onFilled) {
    this.rows = element;
    this.#virtualizer = new RowVirtualizer(element, onFilled);
    // Those of the first view.
    this.#register();
  }

  /**
   * Adds rows at the end, or moves them to the top.
   * @param {HTMLLIElement[]} rows
   * @param {{atTop?: boolean}} [options]
   */
  insert(rows, { atTop = false } = {}) {
    for (const row of rows) this.#byId.set(row.dataset.id, row);
    for (let start = 0; start < rows.length; start += GROUP_SIZE) {
      const some = rows.slice(start, start + GROUP_SIZE);
      const group = this.#groupFor(some.length, atTop);
      if (atTop) group.prepend(...some);
      else group.append(...some);
    }
  }

  /** Takes all rows out of the document. */
  clearRows() {
    this.#byId.clear();
    this.#virtualizer.forget();
    this.rows.replaceChildren();
  }

  /** @param {Element[]} groups that were taken out of the document */
  putRows(groups) {
    this.rows.append(...groups);
    this.#register();
  }

  /** Stores the height of each group in its style, because the browser forgets it while the group is out of the document. */
  keepHeights() {
    const heights = [...this.rows.children].map((group) => [group, group.offsetHeight]);
    for (const [group, height] of heights) group.style.containIntrinsicBlockSize = `auto ${height}px`;
  }

  /**
   * Puts rows in place of all that are there. Those that stay keep the focus.
   * @param {HTMLLIElement[]} rows
   */
  replaceRows(rows) {
    const old = [...this.all];
    // A click that has begun on a row is lost if the row is taken out of the document and put back.
    if (rows.length === old.length && rows.every((row, index) => row === old[index])) return;
    const focused = this.rows.contains(document.activeElement) && document.activeElement;
    this.clearRows();
    this.insert(rows);
    if (focused?.isConnected) focused.focus({ preventScroll: true });
  }

  /** All rows, in their order. */
  get all() {
    return this.rows.querySelectorAll('[data-id]');
  }

  /** Whether no row is visible. */
  get isEmpty() {
    return !this.rows.querySelector('[data-id]:not([hidden])');
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
    return row?.isConnected ? row : null;
  }

  /**
   * The row of a link with its content, which rows far from the screen lack.
   * @param {string} id
   * @returns {HTMLLIElement | null}
   */
  wholeRow(id) {
    return this.#virtualizer.fill(this.row(id));
  }

  /**
   * Returns a visible row relative to another one.
   * @param {Element | null} row null counts as the place before the first row
   * @param {1 | -1} offset
   * @returns {HTMLLIElement | undefined}
   */
  neighbour(row, offset) {
    const rows = this.#visible;
    return this.#virtualizer.fill(rows[rows.indexOf(row) + offset]);
  }

  #register() {
    for (const row of this.all) this.#byId.set(row.dataset.id, row);
    for (const group of this.rows.children) this.#virtualizer.watch(group);
  }

  // The group at one end of the list if it has room, or a new one.
  #groupFor(count, atTop) {
    const last = atTop ? this.rows.firstElementChild : this.rows.lastElementChild;
    if (last && last.children.length + count <= GROUP_SIZE && !this.#virtualizer.isEmptied(last)) return last;
    const group = createRowGroup();
    if (atTop) this.rows.prepend(group);
    else this.rows.append(group);
    this.#virtualizer.watch(group);
    return group;
  }

  get #visible() {
    return [...this.rows.querySelectorAll('[data-id]:not([hidden])')];
  }
}
