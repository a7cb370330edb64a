// The list of links: To Read, Archive or what a search finds. Its pages are loaded while the user scrolls.

import { PAGE_SIZE } from '../shared/links/link-requests.js';
import { LinkRows } from './link-rows.js';
import { fetchNextPage } from './list-pages.js';
import { ListStatus } from './list-status.js';
import { listOfQuery } from './query-text.js';
import { inSlices } from './slices.js';

/** The next page is loaded once the user has scrolled through this fraction of the list. */
const LOAD_AT = 0.8;

/** @typedef {import('../shared/links/link-text.js').Link} Link */

export class LinkList extends LinkRows {
  #section;
  #status;
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
   * @param {(name?: string) => string} options.emptyMessage for an empty list
   * @param {() => void} options.onLoaded called after each page
   */
  constructor(section, { store, isDeleted, emptyMessage, onLoaded }) {
    super(section.querySelector('#links'), {
      store,
      // What a search has found stays, whichever list it is in, unless it searches in one list.
      isHidden: ({ id, list }) => isDeleted(id) || list !== (this.name ?? listOfQuery(this.#selection.query) ?? list),
      onChanged: () => {
        const { last, next } = this.#selection;
        // A later page is loaded only with "Try again".
        if (!(last ?? next) || !this.#status.isFailure) this.#showStatus();
      },
    });
    this.#section = section;
    this.#status = new ListStatus(section, () => this.#loadPage());
    this.#emptyMessage = emptyMessage;
    this.#onLoaded = onLoaded;
  }

  /** The name of the selected list; undefined for a search, and at first. */
  get name() {
    return this.#selection.name;
  }

  /** Whether no list was selected yet. The first cards may be there. */
  get isNew() {
    return !this.#selection.name && !this.#selection.query;
  }

  /**
   * Selects a list. To Read and Archive are kept when the user leaves them and shown again at once; the links of a
   * search are forgotten.
   * @param {{list?: 'read' | 'archive', query?: string}} route
   * @returns {boolean} whether the list is shown as it was left, so that it may be out of date
   */
  select({ list: name, query }) {
    const old = this.#selection;
    if (old.name === name && old.query === query) return false;
    const groups = [...this.rows.children];
    // What comes for a list after it was left is dropped, so that it is kept only once its first answer is there.
    if (old.last) this.#left.set(old.name, { selection: old, groups, links: this.store.all() });
    const kept = this.#left.get(name);
    this.#left.delete(name);
    // While the user types, the rows of the last search stay until the next ones are there, and so do the first cards.
    const isFirst = this.isNew;
    const isStale = isFirst || Boolean(query && old.query);
    const scrolled = isFirst && !this.#section.hidden ? scrollY : 0;
    this.#selection = kept?.selection ?? { name, query, hasMore: true, isStale, scrollY: scrolled };
    if (!isStale) this.clear();
    this.rows.ariaBusy = 'false';
    this.putRows(kept?.groups ?? []);
    for (const link of kept?.links ?? []) this.store.merge(link);
    // The user left while a page was being added.
    for (const link of kept?.selection.waiting ?? []) this.add(link);
    kept?.selection.waiting?.clear();
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

  /**
   * Renders the selected list after its section became visible: restores the scroll position and moves the
   * focus.
   * @param {object} options
   * @param {string | null} options.focusedId the link whose row gets the focus; the heading gets it if there is no
   *   such row
   * @param {boolean} options.keepsFocus whether the focus stays where it is
   */
  showSelected({ focusedId, keepsFocus }) {
    for (const link of this.store.all()) this.render(link);
    scrollTo(0, this.#selection.scrollY ?? 0);
    this.loadIfNearEnd();
    if (keepsFocus) return;
    const anchor = this.wholeRow(focusedId)?.querySelector('a');
    (anchor ?? this.#section.querySelector('#name')).focus({ preventScroll: true });
  }

  /** Remembers the scroll position of the selected list if the list is visible. */
  rememberScroll() {
    if (this.#section.hidden) return;
    this.#selection.scrollY = scrollY;
    this.keepHeights();
  }

  /**
   * Returns whether a link belongs among the loaded ones. Older links come when the user scrolls.
   * @param {Link} link
   */
  covers({ list, updated_at }) {
    const { name, hasMore, last } = this.#selection;
    return list === name && (!hasMore || !last || updated_at > last.updated_at);
  }

  /**
   * The links at the top of To Read or Archive; undefined for a search, and until they are loaded.
   * @returns {Link[] | undefined}
   */
  get firstLinks() {
    const { name, hasMore, last } = this.#selection;
    if (!name || (hasMore && !last)) return undefined;
    return this.ids.slice(0, PAGE_SIZE).map((id) => this.store.get(id)).filter(Boolean);
  }

  /** Loads the next page if the list is visible and out of date or scrolled near its end. Not after a failure. */
  loadIfNearEnd() {
    const isNearEnd = () => scrollY + innerHeight > LOAD_AT * document.body.scrollHeight;
    const isWanted = !this.#section.hidden && !this.#status.isFailure;
    if (isWanted && (this.#selection.isStale || isNearEnd())) this.#loadPage();
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
    const isFirstPage = selection.isStale || !this.rows.firstChild;
    if (selection === this.#selection && isFirstPage) this.replaceLinks(links);
    delete selection.isStale;
    const waiting = new Set(links);
    selection.waiting = waiting;
    await inSlices(links, (link) => {
      if (selection !== this.#selection) return false;
      if (waiting.delete(link)) this.add(link);
      return true;
    });
    selection.isLoading = false;
    if (selection !== this.#selection) return;
    this.rows.ariaBusy = 'false';
    this.#showStatus(failure);
    if (failure) return;
    this.#onLoaded();
    this.loadIfNearEnd();
    // The pages of a list have them.
    if (selection.query) this.loadDetails(links.map(({ id }) => id));
  }

  // Shows the error, or the message for an empty list.
  #showStatus(error) {
    const { name, query, hasMore } = this.#selection;
    const isEmpty = (name || query) && !hasMore && this.isEmpty;
    this.#status.show(error?.message ?? (isEmpty ? this.#emptyMessage(name) : ''), { isFailure: Boolean(error) });
  }
}
