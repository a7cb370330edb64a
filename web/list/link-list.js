// The list of links: To Read, Archive or what a search finds. It loads page by page while the user scrolls.

import { fetchLinkDetails } from './link-details.js';
import { createLinkRow, renderLinkRow } from './link-row.js';
import { fetchNextPage } from './list-pages.js';
import { Rows } from './rows.js';

/** The next page is loaded once the user has scrolled through this fraction of the list. */
const LOAD_AT = 0.8;

/** @typedef {import('../shared/links/link-text.js').Link} Link */

export class LinkList extends Rows {
  #section;
  #status;
  #retry;
  #store;
  #isDeleted;
  #emptyMessage;
  #onLoaded;
  /**
   * The selected list and how far it is loaded. A new object for each selection: a response that arrives
   * after the user has switched lists belongs to an old one and is dropped.
   * @type {import('./list-pages.js').Selection}
   */
  #selection = {};
  /** Lists that the user has left, by name. */
  #left = new Map();

  /**
   * @param {HTMLElement} section
   * @param {object} options
   * @param {import('../shared/links/link-store.js').LinkStore} options.store
   * @param {(id: string) => boolean} options.isDeleted whether the user has deleted a link that is still
   *   stored
   * @param {(name?: string) => string} options.emptyMessage the message for an empty list
   * @param {() => void} options.onLoaded called after each page
   */
  constructor(section, { store, isDeleted, emptyMessage, onLoaded }) {
    super(section.querySelector('#links'), (id) => store.merge({ id }));
    this.#section = section;
    this.#status = section.querySelector('#note');
    this.#retry = section.querySelector('#retry');
    this.#store = store;
    this.#isDeleted = isDeleted;
    this.#emptyMessage = emptyMessage;
    this.#onLoaded = onLoaded;
    this.#retry.onclick = () => this.#loadPage();
    store.onChange((link) => this.#render(link));
    store.onRemove((id) => {
      this.row(id)?.remove();
      this.#showStatus();
    });
  }

  /** The name of the selected list; undefined for a search, and at first. */
  get name() {
    return this.#selection.name;
  }

  /**
   * Selects a list. To Read and Archive are kept when the user leaves them and shown again at once; the links of a
   * search are forgotten.
   * @param {{list?: 'read' | 'archive', query?: string}} route
   * @returns {boolean} whether the list is shown as it was when it was left, so that it may be out of date
   */
  select({ list: name, query }) {
    const old = this.#selection;
    if (old.name === name && old.query === query) return false;
    if (old.name) this.#left.set(old.name, { selection: old, rows: [...this.rows.children], links: this.#store.all() });
    const kept = this.#left.get(name);
    this.#left.delete(name);
    // While the user types, the rows of the last search stay until the next ones are there.
    const isStale = Boolean(query && old.query);
    this.#selection = kept?.selection ?? { name, query, hasMore: true, isStale };
    if (!isStale) this.#clear();
    this.rows.ariaBusy = 'false';
    this.insert(kept?.rows ?? []);
    for (const link of kept?.links ?? []) this.#store.merge(link);
    this.#showStatus();
    return Boolean(kept);
  }

  /** Loads the selected list again from its beginning. The rows stay until the new ones are there. */
  async reload() {
    const { name, query } = this.#selection;
    // The other list may have changed, too.
    this.#left.clear();
    this.#selection = { name, query, hasMore: Boolean(name || query), isStale: true };
    await this.#loadPage();
  }

  #clear() {
    this.#store.clear();
    this.clearRows();
  }

  /**
   * Renders the selected list after its section became visible: restores the scroll position and moves the
   * focus.
   * @param {object} options
   * @param {string | null} options.focusedId the link whose row gets the focus; the heading gets it if there is no
   *   such row
   * @param {boolean} options.keepsFocus whether the focus stays where it is
   */
  showSelected({ focusedId, keepsFocus }) {
    for (const link of this.#store.all()) this.#render(link);
    scrollTo(0, this.#selection.scrollY ?? 0);
    this.loadIfNearEnd();
    if (keepsFocus) return;
    const anchor = this.wholeRow(focusedId)?.querySelector('a');
    (anchor ?? this.#section.querySelector('#name')).focus({ preventScroll: true });
  }

  /** Remembers the scroll position of the selected list if the list is visible. */
  rememberScroll() {
    if (!this.#section.hidden) this.#selection.scrollY = scrollY;
  }

  /**
   * Adds a link, or updates it and moves it to the top.
   * @param {Link} link
   * @param {{atTop?: boolean}} [options] links go to the end unless `atTop` is set
   */
  add(link, { atTop = false } = {}) {
    const row = this.row(link.id) ?? createLinkRow(link.id);
    if (atTop || !row.parentNode) this.insert([row], { atTop });
    this.#store.merge(link);
  }

  /**
   * Returns whether a link belongs among the loaded ones. Older links come when the user scrolls.
   * @param {Link} link
   */
  covers({ list, updated_at }) {
    const { name, hasMore, last } = this.#selection;
    return list === name && (!hasMore || !last || updated_at > last.updated_at);
  }

  /** Loads the next page if the list is visible and scrolled near its end. Does nothing after a failure. */
  loadIfNearEnd() {
    const isNearEnd = scrollY + innerHeight > LOAD_AT * document.body.scrollHeight;
    if (!this.#section.hidden && this.#retry.hidden && isNearEnd) this.#loadPage();
  }

  /**
   * Loads what belongs to links, such as pictures and tags, and shows it.
   * @param {string[]} ids
   */
  async loadDetails(ids) {
    for (const [id, details] of await fetchLinkDetails(ids)) {
      if (this.#store.has(id)) this.#store.merge({ id, ...details });
    }
  }

  async #loadPage() {
    const selection = this.#selection;
    if (selection.isLoading || !selection.hasMore) return;
    selection.isLoading = true;
    this.rows.ariaBusy = 'true';
    let links = [];
    let failure;
    try {
      links = await fetchNextPage(selection);
    } catch (error) {
      failure = error;
    }
    selection.isLoading = false;
    if (selection !== this.#selection) return;
    this.rows.ariaBusy = 'false';
    if (selection.isStale) this.#clear();
    delete selection.isStale;
    for (const link of links) this.add(link);
    this.#showStatus(failure);
    if (failure) return;
    this.#onLoaded();
    this.loadIfNearEnd();
    this.loadDetails(links.map(({ id }) => id));
  }

  #render(link) {
    const row = this.row(link.id);
    if (row) {
      renderLinkRow(row, link);
      // What a search has found stays, whichever list it is in.
      row.hidden = this.#isDeleted(link.id) || (this.name && link.list !== this.name);
    }
    this.#showStatus();
  }

  // Shows the error, or the message for an empty list.
  #showStatus(error) {
    const { name, query, hasMore } = this.#selection;
    const isEmpty = (name || query) && !hasMore && this.isEmpty;
    this.#status.textContent = error ? error.message : isEmpty ? this.#emptyMessage(name) : '';
    this.#retry.hidden = !error;
  }
}
