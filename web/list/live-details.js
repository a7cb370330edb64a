// Keeps what cards and the sidebar show beside the columns of links in step with the user's other devices: tags,
// the number of highlights, and collections.

/** The tables whose changes are followed. */
export const DETAIL_TABLES = ['link_tags', 'tags', 'highlights', 'collections', 'collection_links'];

/** Several changes follow each other within this time, as when a client sets the tags of a link. */
const DELAY_MS = 200;

/** Links in one request. */
const MAX_IDS = 100;

/**
 * Finds the links of which a change concerns the details.
 * @param {import('../shared/api/realtime.js').Change} change
 * @param {import('../shared/links/link-text.js').Link[]} links those that are shown
 * @returns {string[]} ids
 */
export function changedLinks({ table, record, old_record: key }, links) {
  const { id, link_id: linkId } = record ?? key;
  if (table === 'tags') {
    return links.filter(({ tagIds }) => Object.values(tagIds ?? {}).includes(id)).map((link) => link.id);
  }
  // The key of a deleted highlight does not tell its link.
  if (table === 'highlights' && !linkId) {
    return links.filter(({ highlightCount }) => highlightCount).map((link) => link.id);
  }
  return ['link_tags', 'highlights'].includes(table) ? [linkId] : [];
}

export class LiveDetails {
  #store;
  #list;
  #onFoldersChanged;
  #ids = new Set();
  #haveFoldersChanged = false;
  #timer;

  /**
   * @param {object} parts
   * @param {import('../shared/links/link-store.js').LinkStore} parts.store
   * @param {import('./link-list.js').LinkList} parts.list
   * @param {() => void} parts.onFoldersChanged called when tags, collections or what they hold may have changed
   */
  constructor({ store, list, onFoldersChanged }) {
    this.#store = store;
    this.#list = list;
    this.#onFoldersChanged = onFoldersChanged;
  }

  /** @param {import('../shared/api/realtime.js').Change} change */
  update(change) {
    this.#refreshSoon(changedLinks(change, this.#store.all()), change.table !== 'highlights');
  }

  /** Loads the details of all links that are shown again. */
  catchUp() {
    this.#refreshSoon(this.#store.all().map(({ id }) => id), true);
  }

  #refreshSoon(ids, haveFoldersChanged) {
    for (const id of ids) if (this.#store.has(id)) this.#ids.add(id);
    this.#haveFoldersChanged ||= haveFoldersChanged;
    if (this.#ids.size || this.#haveFoldersChanged) this.#timer ??= setTimeout(() => this.#refresh(), DELAY_MS);
  }

  async #refresh() {
    const ids = [...this.#ids];
    if (this.#haveFoldersChanged) this.#onFoldersChanged();
    this.#ids.clear();
    this.#haveFoldersChanged = false;
    this.#timer = undefined;
    for (let first = 0; first < ids.length; first += MAX_IDS) {
      await this.#list.loadDetails(ids.slice(first, first + MAX_IDS));
    }
  }
}
