// Which links of the open list are selected: some of them, or everything that the list finds.

export class Selection {
  #ids = new Set();
  /** The link that was selected last; a range begins there. */
  #anchor = null;
  #onChange;

  /** Whether everything that the list finds is selected, also what is not loaded. */
  isAll = false;

  /** @param {() => void} onChange called after each change */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** @returns {string[]} */
  get ids() {
    return [...this.#ids];
  }

  get isEmpty() {
    return !this.isAll && !this.#ids.size;
  }

  /** @param {string} id */
  has(id) {
    return this.isAll || this.#ids.has(id);
  }

  /**
   * Selects a link, or takes it out of the selection.
   * @param {string} id
   * @param {string[]} order the ids that the list shows, which stay selected where everything was
   */
  toggle(id, order) {
    this.#leaveAll(order);
    if (!this.#ids.delete(id)) this.#ids.add(id);
    this.#anchor = id;
    this.#onChange();
  }

  /**
   * Selects the links from the one that was selected last to this one.
   * @param {string} id
   * @param {string[]} order the ids that the list shows
   */
  extendTo(id, order) {
    this.#leaveAll(order);
    const from = order.indexOf(this.#anchor);
    const to = order.indexOf(id);
    if (from < 0) this.#anchor = id;
    const range = from < 0 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
    for (const each of range) this.#ids.add(each);
    this.#onChange();
  }

  /** Selects everything that the list finds. */
  selectAll() {
    this.isAll = true;
    this.#onChange();
  }

  /** @param {string} id of a link that is gone */
  remove(id) {
    if (this.#ids.delete(id)) this.#onChange();
  }

  clear() {
    if (this.isEmpty) return;
    this.isAll = false;
    this.#ids.clear();
    this.#anchor = null;
    this.#onChange();
  }

  #leaveAll(order) {
    if (!this.isAll) return;
    this.isAll = false;
    this.#ids = new Set(order);
  }
}
