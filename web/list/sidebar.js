// The sidebar with tags and collections. It stands beside the list on wide screens, where it can be folded away, and
// is a sheet over the list on others.

import { formatNumber } from '../shared/format/numbers.js';
import { t } from '../shared/locale/translate.js';
import { createElement } from '../shared/ui/elements.js';
import { collectionTree } from './collection-tree.js';
import { fetchCollections, fetchTags } from './folders-api.js';
import { onceWanted } from './later.js';
import { collectionQuery, tagQuery } from './query-text.js';
import { searchHash } from './route.js';

/** As in list-tools.css. */
const WIDE = matchMedia('(min-width: 76rem)');

/** Remembers in this tab that the sidebar is folded away. */
const FOLDED_KEY = 'sidebar-folded';

export class Sidebar {
  #sidebar;
  #toggle;
  #editor;

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
    this.#editor = onceWanted(async () => {
      const { FolderEditor } = await import('./folder-editor.js');
      return new FolderEditor(dialog, () => {
        this.refresh();
        onChanged();
      });
    });
    for (const button of sidebar.querySelectorAll('[data-new]')) {
      button.onclick = () => this.edit(button.dataset.new, { name: '' });
    }
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
  async edit(table, folder) {
    (await this.#editor()).open(table, folder);
  }

  #show(table, folders, query) {
    const items = folders.map((folder) => {
      const count = createElement('span', { className: 'count' }, formatNumber(folder.count));
      const name = createElement('span', { className: 'name', dir: 'auto' }, folder.name);
      const link = createElement('a', { href: searchHash(query(folder)) }, name, count);
      const edit = createElement('button', { title: t('Edit') }, '⋯');
      edit.ariaLabel = t('Edit {name}', { name: folder.name });
      edit.onclick = () => this.edit(table, folder);
      const item = createElement('li', { className: folder.query ? 'smart' : '' }, link, edit);
      item.style.setProperty('--depth', folder.depth ?? 0);
      // Where links are dragged to; a search that is saved fills itself.
      if (!folder.query) {
        item.dataset.name = folder.name;
        item.dataset[table === 'tags' ? 'tag' : 'collection'] = table === 'tags' ? folder.name : folder.id;
      }
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
