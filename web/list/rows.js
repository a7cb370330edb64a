// The rows of a list in the document.

export class Rows {
  /** The element whose children are the rows. */
  rows;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.rows = element;
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
    return this.rows.querySelector(`[data-id="${id}"]`);
  }

  /**
   * Returns a visible row relative to another one.
   * @param {Element | null} row null counts as the place before the first row
   * @param {1 | -1} offset
   * @returns {HTMLLIElement | undefined}
   */
  neighbour(row, offset) {
    const rows = this.#visible;
    return rows[rows.indexOf(row) + offset];
  }

  get #visible() {
    return [...this.rows.querySelectorAll(':scope > li:not([hidden])')];
  }
}
