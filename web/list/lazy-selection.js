// The selection of links, whose module is loaded when the first link is selected.

import { onceWanted } from './lazy-parts.js';

export class LazySelection {
  /** @type {import('./selection-bar.js').SelectionBar | undefined} */
  #bar;

  /**
   * Loads the module, if that has not been done.
   * @type {() => Promise<import('./selection-bar.js').SelectionBar>}
   */
  load;

  /** @param {() => Promise<import('./selection-bar.js').SelectionBar>} make */
  constructor(make) {
    this.load = onceWanted(async () => {
      this.#bar = await make();
      return this.#bar;
    });
  }

  get isEmpty() {
    return this.#bar?.isEmpty ?? true;
  }

  /**
   * @param {string} id
   * @returns {string[]} the selected links that are loaded if this one is among them, else this one
   */
  linksWith(id) {
    const ids = this.#bar?.ids ?? [];
    return ids.includes(id) ? ids : [id];
  }

  clear() {
    this.#bar?.clear();
  }

  /** @param {Element | null} row */
  async toggle(row) {
    (await this.load()).toggle(row);
  }

  /**
   * @param {Element | null} row
   * @param {1 | -1} offset
   */
  async extend(row, offset) {
    (await this.load()).extend(row, offset);
  }
}
