// The reading view, whose modules are loaded when they are needed: the list is visible sooner without them.

import { t } from '../shared/locale/translate.js';
import { loadStylesOf } from '../shared/ui/styles.js';

export class LazyReader {
  #section;
  #options;
  /** @type {Promise<import('./article-view.js').ArticleView> | null} */
  #loading = null;
  /** @type {import('./article-view.js').ArticleView | null} */
  #view = null;
  /** To be opened when the modules are loaded. */
  #requestedId = null;

  /**
   * @param {HTMLElement} section
   * @param {object} options those of `setUpReader` but `adjacentLink` and `speechRate`, and
   * @param {import('../list/link-list.js').LinkList} options.list
   * @param {() => Promise<() => void>} options.textSettings loads the text settings
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
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load() {
    const { textSettings, list, ...options } = this.#options;
    const [{ setUpReader }, { adjacentLink }, start] = await Promise.all([
      import('./reader.js'), import('./adjacent-links.js'), textSettings(), loadStylesOf('reader-styles'),
    ]);
    start();
    this.#view = setUpReader(this.#section, {
      ...options,
      speechRate: document.getElementById('speech-rate'),
      adjacentLink: (link, offset) => adjacentLink(link, offset, { list, store: options.store }),
    });
    return this.#view;
  }

  /**
   * As `open` of `ArticleView`.
   * @param {string} id
   * @param {boolean} [unlessFinished]
   */
  async open(id, unlessFinished) {
    this.#requestedId = id;
    try {
      const view = await this.load();
      if (this.#requestedId === id) await view.open(id, unlessFinished);
    } catch {
      // The next attempt loads them again.
      this.#loading = null;
      const message = t('The article could not be opened. Check your connection, and reload the page.');
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
