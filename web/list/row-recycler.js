// Keeps a long list small: rows far from the screen lose their content and keep their height.

import { fillLinkRow } from './link-row.js';

/** A list with fewer rows keeps all of them whole. */
const MIN_ROWS = 200;

/** Rows within three screens keep their content. */
const MARGIN = '300% 0px';

export class RowRecycler {
  #rows;
  #onFilled;
  #observer = new IntersectionObserver((entries) => this.#onMoved(entries), { rootMargin: MARGIN });

  /**
   * @param {HTMLElement} rows the element whose children are the rows
   * @param {(id: string) => void} onFilled renders the link of a row that has its elements again
   */
  constructor(rows, onFilled) {
    this.#rows = rows;
    this.#onFilled = onFilled;
  }

  /** @param {HTMLLIElement} row */
  watch(row) {
    this.#observer.observe(row);
  }

  /**
   * Gives a row its content again if it has lost it.
   * @param {HTMLLIElement | null | undefined} row
   * @returns {HTMLLIElement | null | undefined} the row
   */
  fill(row) {
    if (row && !row.firstChild) {
      fillLinkRow(row);
      row.style.height = '';
      row.ariaHidden = null;
      this.#onFilled(row.dataset.id);
    }
    return row;
  }

  #onMoved(entries) {
    const isLong = this.#rows.children.length > MIN_ROWS;
    for (const { target: row, isIntersecting, boundingClientRect } of entries) {
      if (isIntersecting) this.fill(row);
      // The rows of a hidden list have no height.
      else if (isLong && boundingClientRect.height && !row.contains(document.activeElement)) {
        this.#empty(row, boundingClientRect.height);
      }
    }
  }

  // The height is not asked of the row, because each answer would have the browser lay out the whole list again.
  #empty(row, height) {
    row.style.height = `${height}px`;
    // An empty item would be read out.
    row.ariaHidden = 'true';
    row.replaceChildren();
  }
}
