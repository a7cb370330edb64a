// The list of bookmarks in the panel "Highlights": to add, go to, rename and delete them.

import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { showMessage } from '../../shared/ui/messages.js';
import { loadStyles } from '../../shared/ui/styles.js';
import { showError } from '../../shared/ui/toast.js';
import { READING_MESSAGES } from '../reading-messages.js';
import { ArticleBookmarks } from './article-bookmarks.js';
import { MAX_NAME } from './bookmark-places.js';

/** @typedef {import('./bookmarks-api.js').Bookmark} Bookmark */

export class BookmarkList {
  #bookmarks;
  #list = createElement('ul');
  /** The id of the bookmark whose name is being changed. */
  #editedId = null;
  /** Its item, which stays while the list changes: the user is typing there. */
  #editedItem = null;
  /** Whether an article is open that has a text. */
  #isOpen = false;

  /** The part of the panel. */
  element;

  /** Called before a place is shown, so that nothing covers it. */
  makeRoom = () => {};

  /**
   * @param {HTMLElement} reader
   * @param {() => number} currentIndex returns the index of the first character on the screen
   */
  constructor(reader, currentIndex) {
    this.#bookmarks = new ArticleBookmarks(reader, () => this.#render());
    const add = createElement('button', { type: 'button', className: 'add', title: `${t('Add bookmark')} (b)` },
      t('Add bookmark'));
    const addHere = () => this.#bookmarks.add(currentIndex());
    add.onclick = addHere;
    const heading = createElement('h3', { id: 'bookmarks-name', textContent: t('Bookmarks') });
    this.element = createElement('section', { className: 'bookmarks' },
      createElement('header', {}, heading, add), this.#list);
    this.element.setAttribute('aria-labelledby', heading.id);
    this.#list.setAttribute('aria-labelledby', heading.id);

    document.addEventListener('keydown', (event) => {
      const isTyping = event.target.matches('input, textarea, select, [contenteditable]');
      const isOff = reader.hidden || document.querySelector('dialog[open], :popover-open');
      const isOther = event.key !== 'b' || event.ctrlKey || event.metaKey || event.altKey;
      if (event.defaultPrevented || isOff || isTyping || isOther || !this.#isOpen) return;
      event.preventDefault();
      addHere();
    });
  }

  /**
   * Begins with an article.
   * @param {import('../../shared/links/link-text.js').Link} link
   * @param {{content?: string, text_content?: string}} article
   */
  open(link, article) {
    this.#bookmarks.open(link, article);
    this.#isOpen = !!article.content;
    this.element.hidden = !this.#isOpen;
  }

  close() {
    this.#isOpen = false;
    this.#editedId = null;
    this.#bookmarks.close();
  }

  /** To be called when the panel is opened. */
  load() {
    loadStyles('/reader/bookmarks/bookmarks.css');
    this.#bookmarks.load().catch(showError);
  }

  #render() {
    const { rows } = this.#bookmarks;
    const edited = rows.find(({ id }) => id === this.#editedId);
    if (!edited) this.#editedId = this.#editedItem = null;
    else if (!this.#editedItem) this.#list.append(this.#editedItem = createElement('li', {}, this.#createForm(edited)));
    for (const item of [...this.#list.children]) if (item !== this.#editedItem) item.remove();
    // The field would lose the focus if its item was moved.
    const index = edited ? rows.indexOf(edited) : rows.length;
    const create = (row) => createElement('li', {}, ...this.#createButtons(row));
    this.#list.prepend(...rows.slice(0, index).map(create));
    this.#list.append(...rows.slice(index + 1).map(create));
    this.#list.hidden = !rows.length;
  }

  #createButtons(row) {
    const { name } = row;
    const go = createElement('button', { type: 'button', className: 'go', dir: 'auto', textContent: name });
    const rename = createElement('button', { type: 'button', ariaLabel: t('Rename {name}', { name }) }, t('Rename'));
    const remove = createElement('button', { type: 'button', ariaLabel: t('Delete {name}', { name }) }, t('Delete'));
    go.onclick = () => {
      this.makeRoom();
      if (!this.#bookmarks.goTo(row)) showMessage(READING_MESSAGES.placeGone);
    };
    rename.onclick = () => this.#edit(row.id);
    remove.onclick = async () => {
      await this.#bookmarks.remove(row);
      this.element.querySelector('.add').focus();
    };
    return [go, rename, remove];
  }

  #createForm(row) {
    const field = createElement('input', {
      value: row.name, maxLength: MAX_NAME, required: true, ariaLabel: t('Name of the bookmark'), autocomplete: 'off',
    });
    const form = createElement('form', {}, field, createElement('button', { textContent: t('Save') }));
    form.onsubmit = async (event) => {
      event.preventDefault();
      const name = field.value.trim();
      if (!name) return;
      this.#editedId = null;
      await this.#bookmarks.rename(row, name);
      this.#focus(row.id);
    };
    form.onkeydown = (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.#edit(null);
      this.#focus(row.id);
    };
    return form;
  }

  #edit(id) {
    this.#editedId = id;
    this.#editedItem = null;
    this.#render();
    this.#list.querySelector('input')?.select();
  }

  // The elements of the list have been replaced.
  #focus(id) {
    this.#render();
    const index = this.#bookmarks.rows.findIndex((row) => row.id === id);
    this.#list.children[index]?.querySelector('.go')?.focus();
  }
}
