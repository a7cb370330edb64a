// Selecting links, by mouse, touch or keyboard, and the bar with what can be done to the selected ones.

import { restRequest } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { onLongPress } from './long-press.js';
import { Selection } from './selection.js';

// By the `data-toggle` of a button, a column and its values. If all selected links have the first value, the button sets
// the second one, otherwise the first. The texts are the name of the button and what is said afterwards.
const TOGGLES = {
  status: [['read', t('Mark as read'), t('Marked as read')], ['unread', t('Mark as unread'), t('Marked as unread')]],
  is_starred: [[true, t('Star for newsletter'), t('Starred')], [false, t('Remove star'), t('Star removed')]],
  list: [['archive', t('Archive#verb'), t('Archived')], ['read', t('Move to To Read'), t('Moved to To Read')]],
};

export class SelectionBar {
  #bar;
  #list;
  #store;
  #query;
  #chooseFolder;
  #makeBook;
  #onChanged;
  #selection = new Selection(() => this.#render());
  #isShown = false;

  /**
   * @param {HTMLElement} bar
   * @param {object} options
   * @param {import('./link-list.js').LinkList} options.list
   * @param {import('../shared/links/link-store.js').LinkStore} options.store
   * @param {() => string} options.query the query that finds what the list shows
   * @param {() => void} options.onChanged called after links have changed
   * @param {(kind: 'tag' | 'collection', title: string) => Promise<{change: object, name: string} | null>}
   *   options.chooseFolder asks for a tag or a collection
   * @param {(articles: {query: string, links?: string[]}) => Promise<boolean>} options.makeBook
   */
  constructor(bar, { list, store, query, chooseFolder, makeBook, onChanged }) {
    this.#bar = bar;
    this.#list = list;
    this.#store = store;
    this.#query = query;
    this.#chooseFolder = chooseFolder;
    this.#makeBook = makeBook;
    this.#onChanged = onChanged;
    // Rows that are loaded later belong to the selection of everything.
    store.onChange(({ id }) => this.#renderBox(list.row(id)));
    store.onRemove((id) => this.#selection.remove(id));
    list.rows.addEventListener('click', (event) => this.#onClick(event));
    list.rows.addEventListener('pointerdown', (event) => this.#onPointerDown(event));
    bar.querySelector('.select-all').onclick = () => this.#selection.selectAll();
    bar.querySelector('.clear').onclick = () => this.clear();
    bar.querySelector('.make-book').onclick = busyWhile(() => this.#runBook());
    for (const button of bar.querySelectorAll('[data-bulk]')) {
      button.onclick = busyWhile(async () => this.#run(await this.#bulkChange(button.dataset.bulk)));
    }
    for (const button of bar.querySelectorAll('[data-toggle]')) {
      const column = button.dataset.toggle;
      button.onclick = busyWhile(() => {
        const [value, , done] = this.#toggle(column);
        return this.#run({ change: { [column]: value }, done });
      });
    }
  }

  get isEmpty() {
    return this.#selection.isEmpty;
  }

  /** The ids of the selected links that are loaded. */
  get ids() {
    return this.#links.map(({ id }) => id);
  }

  /** Clears the selection. If the focus was in the bar, it moves to the list. */
  clear() {
    const hadFocus = this.#bar.contains(document.activeElement);
    this.#selection.clear();
    if (hadFocus) this.#list.neighbour(null, 1)?.querySelector('a').focus({ preventScroll: true });
  }

  /** @param {Element | null} row */
  toggle(row) {
    if (row?.dataset.id) this.#selection.toggle(row.dataset.id, this.#list.ids);
  }

  /**
   * Extends the selection from a row to its neighbour, which gets the focus.
   * @param {Element | null} row
   * @param {1 | -1} offset
   */
  extend(row, offset) {
    const next = this.#list.neighbour(row, offset);
    if (!next) return;
    if (row && !this.#selection.has(row.dataset.id)) this.#selection.extendTo(row.dataset.id, this.#list.ids);
    this.#selection.extendTo(next.dataset.id, this.#list.ids);
    next.querySelector('h2 a').focus();
  }

  #onClick(event) {
    const row = event.target.closest('[data-id]');
    if (!event.target.matches('[data-select]')) return;
    if (event.shiftKey) this.#selection.extendTo(row.dataset.id, this.#list.ids);
    else this.toggle(row);
  }

  #onPointerDown(event) {
    const row = event.target.closest('[data-id]');
    if (event.pointerType === 'touch' && row) onLongPress(row, () => this.toggle(row));
  }

  get #links() {
    const { isAll, ids } = this.#selection;
    return (isAll ? this.#list.ids : ids).map((id) => this.#store.get(id)).filter(Boolean);
  }

  #toggle(column) {
    const [on, off] = TOGGLES[column];
    return this.#links.every((link) => link[column] === on[0]) ? off : on;
  }

  async #bulkChange(name) {
    if (name === 'delete') return { change: { delete: true }, done: t('Deleted') };
    const title = name === 'tag' ? t('Tag the selected links') : t('Add to a collection');
    const folder = await this.#chooseFolder(name, title);
    return folder && { change: folder.change, done: t('Added to {name}', { name: folder.name }) };
  }

  async #run(chosen) {
    if (!chosen) return;
    const { changeLinks, changeQuery, offerUndo, announcingWhile } = await import('./bulk-changes.js');
    const change = () => (this.#selection.isAll
      ? changeQuery(this.#query(), chosen.change)
      : changeLinks(this.#links.map((link) => ({ ...link })), chosen.change));
    const { count, undo } = await announcingWhile(() => this.#say(t('Changing the links…')), change)
      .finally(() => this.#render());
    const refresh = async () => {
      this.#onChanged();
      await this.#list.reload();
      // The row that had the focus may be gone.
      const first = this.#list.neighbour(null, 1)?.querySelector('a') ?? document.getElementById('name');
      if (document.activeElement === document.body) first.focus({ preventScroll: true });
    };
    this.clear();
    await refresh();
    offerUndo(t('{what}: {n} link.|{what}: {n} links.', { what: chosen.done, n: count }), undo, refresh);
  }

  async #runBook() {
    const { isAll, ids } = this.#selection;
    if (await this.#makeBook(isAll ? { query: this.#query() } : { query: '', links: ids })) this.clear();
  }

  #render() {
    const selection = this.#selection;
    this.#bar.hidden = selection.isEmpty;
    this.#list.rows.classList.toggle('selecting', !selection.isEmpty);
    document.body.toggleAttribute('data-selecting', !selection.isEmpty);
    for (const row of this.#list.all) this.#renderBox(row);
    this.#say(selection.isAll
      ? t('Everything selected')
      : t('{n} selected|{n} selected', { n: selection.ids.length }));
    this.#bar.querySelector('.select-all').hidden = selection.isAll;
    for (const button of this.#bar.querySelectorAll('[data-toggle]')) {
      [, button.textContent] = this.#toggle(button.dataset.toggle);
    }
    if (!selection.isEmpty && !this.#isShown) this.#showTotal();
    this.#isShown = !selection.isEmpty;
  }

  // Only a new text is read out.
  #say(text) {
    const count = this.#bar.querySelector('.count');
    if (count.textContent !== text) count.textContent = text;
  }

  #renderBox(row) {
    if (!row) return;
    const isSelected = this.#selection.has(row.dataset.id);
    row.classList.toggle('selected', isSelected);
    // Rows far from the screen have no box.
    const box = row.querySelector('[data-select]');
    if (box) box.checked = isSelected;
  }

  // How many links the list finds in all is on the button.
  async #showTotal() {
    const body = { query: this.#query() };
    const { count } = await restRequest('rpc/count_links', { method: 'POST', body }).catch(() => ({}));
    const button = this.#bar.querySelector('.select-all');
    if (count !== undefined) button.textContent = t('Select all that match ({count})', { count });
  }
}
