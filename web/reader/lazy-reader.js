// The reading view, whose modules are loaded when they are needed: the list is visible sooner without them.

export class LazyReader {
  #section;
  #options;
  /** @type {Promise<import('./article-view.js').ArticleView> | null} */
  #loading = null;
  /** @type {import('./article-view.js').ArticleView | null} */
  #view = null;
  /** The link to be opened while the modules are loaded. */
  #requestedId = null;

  /**
   * @param {HTMLElement} section
   * @param {object} options those of `setUpReader`
   */
  constructor(section, options) {
    this.#section = section;
    this.#options = options;
  }

  /** @returns {string | null} the id of the open link */
  get linkId() {
    return this.#view?.linkId ?? this.#requestedId;
  }

  /** Loads the modules, if that has not been done. */
  load() {
    this.#loading ??= import('./reader.js').then(({ setUpReader }) => {
      this.#view = setUpReader(this.#section, this.#options);
      return this.#view;
    });
    return this.#loading;
  }

  /**
   * Opens a link, or loads the open link again.
   * @param {string} id
   */
  async open(id) {
    this.#requestedId = id;
    try {
      const view = await this.load();
      if (this.#requestedId === id) await view.open(id);
    } catch {
      // The next attempt loads them again.
      this.#loading = null;
      const message = 'The article could not be opened. Check your connection, and reload the page.';
      if (this.#requestedId === id) this.#section.querySelector('.body').replaceChildren(message);
    }
  }

  /** Loads the open link again if it is shown without an article. */
  openIfEmpty() {
    this.#view?.openIfEmpty();
  }

  /** Forgets the open link. */
  close() {
    this.#requestedId = null;
    this.#view?.close();
  }
}
