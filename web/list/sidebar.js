// The sidebar with tags and collections. It stands beside the list on wide screens, where it can be folded away, and
// is a sheet over the list on others.

import { formatNumber } from '../shared/format/numbers.js';
import { createElement } from '../shared/ui/elements.js';
import { showToast } from '../shared/ui/toast.js';
import { collectionTree } from './collection-tree.js';
import {
  createFolder,
  deleteCollection,
  deleteTag,
  fetchCollections,
  fetchTags,
  mergeTag,
  updateFolder,
} from './folders-api.js';
import { collectionQuery, tagQuery } from './query-text.js';
import { searchHash } from './route.js';

/** As in list-tools.css. */
const WIDE = matchMedia('(min-width: 76rem)');

/** Remembers in this tab that the sidebar is folded away. */
const FOLDED_KEY = 'sidebar-folded';

const LABELS = { tags: 'tag', collections: 'collection' };

export class Sidebar {
  #sidebar;
  #toggle;
  #dialog;
  #onChanged;

  /**
   * @param {HTMLElement} sidebar
   * @param {object} options
   * @param {HTMLButtonElement} options.toggle
   * @param {HTMLDialogElement} options.dialog edits a tag or a collection
   * @param {() => void} options.onChanged called after a tag or collection has changed
   */
  constructor(sidebar, { toggle, dialog, onChanged }) {
    this.#sidebar = sidebar;
    this.#toggle = toggle;
    this.#dialog = dialog;
    this.#onChanged = onChanged;
    for (const button of sidebar.querySelectorAll('[data-new]')) {
      button.onclick = () => this.edit(button.dataset.new, { name: '' });
    }
    dialog.querySelector('.cancel').onclick = () => dialog.close();
    toggle.onclick = () => this.#onToggle();
    sidebar.addEventListener('toggle', () => this.#renderToggle());
    // Following a link closes the sheet.
    sidebar.addEventListener('click', ({ target }) => target.closest('a') && this.#hideSheet());
    WIDE.onchange = () => this.#hideSheet();
    this.#renderToggle();
  }

  /** Loads tags and collections again. Does nothing if they cannot be loaded; the list says why. */
  async refresh() {
    const loaded = await Promise.all([fetchTags(), fetchCollections()]).catch(() => null);
    if (!loaded) return;
    const [tags, collections] = loaded;
    this.#show('tags', tags, ({ name }) => tagQuery(name));
    this.#show('collections', collectionTree(collections), ({ id }) => collectionQuery(id));
    this.showCurrent();
  }

  /** Marks the entry that the list shows. */
  showCurrent() {
    for (const link of this.#sidebar.querySelectorAll('a')) {
      link.ariaCurrent = link.hash === location.hash ? 'page' : null;
    }
  }

  /**
   * Opens the dialog for a tag or collection, which is created if it has no id.
   * @param {'tags' | 'collections'} table
   * @param {{id?: string, name: string, query?: string | null}} folder
   */
  edit(table, folder) {
    const dialog = this.#dialog;
    const form = dialog.querySelector('form');
    const { name, query } = form.elements;
    dialog.querySelector('h2').textContent = `${folder.id ? 'Edit' : 'New'} ${LABELS[table]}`;
    name.value = folder.name;
    name.maxLength = table === 'tags' ? 100 : 200;
    query.value = folder.query ?? '';
    query.closest('label').hidden = table === 'tags';
    dialog.querySelector('[role=alert]').textContent = '';
    const merge = dialog.querySelector('.merge');
    merge.hidden = true;
    merge.onclick = () => this.#run(() => mergeTag(folder.id, name.value.trim()));
    const remove = dialog.querySelector('.delete');
    remove.hidden = !folder.id;
    remove.onclick = () => this.#run(() => this.#delete(table, folder));
    form.onsubmit = (event) => {
      event.preventDefault();
      const values = { name: name.value.trim() };
      if (table === 'collections') values.query = query.value.trim() || null;
      this.#run(() => (folder.id ? updateFolder(table, folder.id, values) : createFolder(table, values)));
    };
    dialog.showModal();
    name.focus();
  }

  async #run(change) {
    try {
      await change();
      this.#dialog.close();
      this.#afterChange();
    } catch (error) {
      // Only the names of tags are unique.
      const isTaken = error.code === '23505';
      this.#dialog.querySelector('[role=alert]').textContent = isTaken ? 'This name is taken.' : error.message;
      // Only a tag that can be deleted can be merged.
      this.#dialog.querySelector('.merge').hidden = !isTaken || this.#dialog.querySelector('.delete').hidden;
    }
  }

  async #delete(table, { id, name }) {
    const undo = await (table === 'tags' ? deleteTag(id) : deleteCollection(id));
    showToast(`Deleted ${LABELS[table]} ${name}.`, () =>
      undo().then(() => this.#afterChange(), (error) => showToast(error.message)));
  }

  #afterChange() {
    this.refresh();
    this.#onChanged();
  }

  #show(table, folders, query) {
    const items = folders.map((folder) => {
      const count = createElement('span', { className: 'count' }, formatNumber(folder.count));
      const name = createElement('span', { className: 'name', dir: 'auto' }, folder.name);
      const link = createElement('a', { href: searchHash(query(folder)) }, name, count);
      const edit = createElement('button', { ariaLabel: `Edit ${folder.name}`, title: 'Edit' }, '⋯');
      edit.onclick = () => this.edit(table, folder);
      const item = createElement('li', { className: folder.query ? 'smart' : '' }, link, edit);
      item.style.setProperty('--depth', folder.depth ?? 0);
      return item;
    });
    this.#sidebar.querySelector(`ul.${table}`).replaceChildren(...items);
    this.#sidebar.querySelector(`.no-${table}`).hidden = items.length > 0;
  }

  #onToggle() {
    if (!WIDE.matches) {
      this.#sidebar.togglePopover();
    } else {
      const isFolded = this.#sidebar.classList.contains('folded');
      sessionStorage.setItem(FOLDED_KEY, isFolded ? '' : 'yes');
    }
    this.#renderToggle();
  }

  #hideSheet() {
    if (this.#sidebar.matches(':popover-open')) this.#sidebar.hidePopover();
    this.#renderToggle();
  }

  #renderToggle() {
    this.#sidebar.classList.toggle('folded', sessionStorage.getItem(FOLDED_KEY) === 'yes');
    const isShown = WIDE.matches
      ? !this.#sidebar.classList.contains('folded')
      : this.#sidebar.matches(':popover-open');
    this.#toggle.ariaExpanded = String(isShown);
  }
}
