// The list of links: To Read, Archive or what a search finds. It loads page by page while the user scrolls.

import { createLinkRow, renderLinkRow } from './link-row.js';
import { fetchNextPage } from './list-pages.js';
import { fetchThumbnails } from './thumbnails.js';

/** The next page is loaded once the user has scrolled through this fraction of the list. */
const LOAD_AT = 0.8;

/** @typedef {import('../shared/links/link-text.js').Link} Link */

export class LinkList {
  #section;
  #rows;
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
    this.#section = section;
    this.#rows = section.querySelector('#links');
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

  /** The name of the selected list; undefined for a search, and before the first selection. */
  get name() {
    return this.#selection.name;
  }

  /**
   * Returns the row of a link, or null if the list does not have it.
   * @param {string} id
   * @returns {HTMLLIElement | null}
   */
  row(id) {
    return this.#rows.querySelector(`[data-id="${id}"]`);
  }

  /**
   * Returns a visible row relative to another one.
   * @param {Element | null} row null counts as the place before the first row
   * @param {1 | -1} offset
   * @returns {HTMLLIElement | undefined}
   */
  neighbour(row, offset) {
    const rows = [...this.#rows.querySelectorAll('li:not([hidden])')];
    return rows[rows.indexOf(row) + offset];
  }

  /**
   * Selects a list. Forgets the links of the other one.
   * @param {{list?: 'read' | 'archive', query?: string}} route
   */
  select({ list: name, query }) {
    if (this.#selection.name === name && this.#selection.query === query) return;
    this.#selection = { name, query, hasMore: true };
    this.#store.clear();
    this.#rows.replaceChildren();
    // The last list may have failed to load.
    this.#showStatus();
  }

  /**
   * Renders the selected list after its section became visible: restores the scroll position and moves the
   * focus.
   * @param {string | null} [focusedId] the link whose row gets the focus; the heading gets it if there is no
   *   such row
   */
  showSelected(focusedId) {
    for (const link of this.#store.all()) this.#render(link);
    scrollTo(0, this.#selection.scrollY ?? 0);
    this.loadIfNearEnd();
    const anchor = this.row(focusedId)?.querySelector('a');
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
    if (atTop) this.#rows.prepend(row);
    else if (!row.parentNode) this.#rows.append(row);
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
   * Loads the pictures of links and shows them.
   * @param {string[]} ids
   */
  async loadThumbnails(ids) {
    for (const [id, pictures] of await fetchThumbnails(ids)) {
      if (this.#store.has(id)) this.#store.merge({ id, pictures });
    }
  }

  async #loadPage() {
    const selection = this.#selection;
    if (selection.isLoading || !selection.hasMore) return;
    this.#setLoading(selection, true);
    let links;
    try {
      links = await fetchNextPage(selection);
    } catch (error) {
      if (selection !== this.#selection) return;
      this.#setLoading(selection, false);
      this.#showStatus(error);
      return;
    }
    if (selection !== this.#selection) return;
    this.#setLoading(selection, false);
    for (const link of links) this.add(link);
    this.#showStatus();
    this.#onLoaded();
    this.loadIfNearEnd();
    this.loadThumbnails(links.map(({ id }) => id));
  }

  #setLoading(selection, isLoading) {
    selection.isLoading = isLoading;
    this.#rows.ariaBusy = String(isLoading);
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
    const isEmpty = (name || query) && !hasMore && !this.#rows.querySelector('li:not([hidden])');
    this.#status.textContent = error ? error.message : isEmpty ? this.#emptyMessage(name) : '';
    this.#retry.hidden = !error;
  }
}
