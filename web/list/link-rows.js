// The rows of links. Each one shows its link as the store has it.

import { createLinkRow } from './card.js';
import { renderLinkRow } from './full-card.js';
import { fetchLinkDetails, keepLinkDetails } from './link-details.js';
import { RowGroups } from './row-groups.js';
import { inSlices } from './slices.js';

/** @typedef {import('../shared/links/link-text.js').Link} Link */

export class LinkRows extends RowGroups {
  /** How many times all links were replaced. */
  #replaced = 0;
  /** The number of the last request for details. */
  #asked = 0;
  /** By link, the request that its details come from. */
  #answered = new Map();
  /** @type {import('../shared/links/link-store.js').LinkStore} */
  store;

  /**
   * @param {HTMLElement} element
   * @param {object} options
   * @param {import('../shared/links/link-store.js').LinkStore} options.store
   * @param {(link: Link) => boolean} options.isHidden whether the row of a link is not shown
   * @param {() => void} options.onChanged called after a row was rendered or removed
   */
  constructor(element, { store, isHidden, onChanged }) {
    super(element, (id) => store.merge({ id }));
    this.store = store;
    /** Whether the row of a link is not shown. */
    this.isHidden = isHidden;
    store.onChange((link) => {
      this.render(link);
      onChanged();
    });
    store.onRemove((id) => {
      this.row(id)?.remove();
      onChanged();
    });
  }

  /**
   * Renders the row of a link, if there is one.
   * @param {Link} link
   */
  render(link) {
    const row = this.row(link.id);
    if (!row) return;
    renderLinkRow(row, link);
    row.hidden = this.isHidden(link);
  }

  /**
   * Adds a link at the end, or updates its row. With `atTop`, the row moves to the top.
   * @param {Link} link
   * @param {{atTop?: boolean}} [options] links go to the end unless `atTop` is set
   */
  add(link, { atTop = false } = {}) {
    const row = this.row(link.id) ?? createLinkRow(link.id);
    if (atTop || !row.parentNode) this.insert([row], { atTop });
    this.store.merge(link);
  }

  /** Forgets all links and takes their rows out of the document. */
  clear() {
    this.store.clear();
    this.clearRows();
  }

  /**
   * Forgets all links and has rows for others, which are still to be added. The rows of links that are among them stay,
   * so that nothing moves under the pointer.
   * @param {Link[]} links
   */
  replaceLinks(links) {
    const rows = links.map(({ id }) => this.row(id) ?? createLinkRow(id));
    this.#replaced += 1;
    this.store.clear();
    this.replaceRows(rows);
  }

  /**
   * Loads what belongs to links, such as pictures and tags, and shows it.
   * @param {string[]} ids
   */
  async loadDetails(ids) {
    const replaced = this.#replaced;
    this.#asked += 1;
    const number = this.#asked;
    const found = await fetchLinkDetails(ids);
    if (replaced !== this.#replaced) {
      // The links that were loaded since may be newer than this answer.
      await this.loadDetails(ids);
      return;
    }
    const newest = [...found].filter(([id]) => !(this.#answered.get(id) > number));
    for (const [id] of newest) this.#answered.set(id, number);
    keepLinkDetails(newest);
    await inSlices(newest, ([id, details]) => {
      if (this.store.has(id)) this.store.merge({ id, ...details });
      return true;
    });
  }
}
