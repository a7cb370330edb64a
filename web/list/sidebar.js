// The sidebar with tags and collections. It stands beside the list on wide screens, where it can be folded away, and
// is a sheet over the list on others.

import { onceWanted } from './lazy-parts.js';

/** As in sidebar.css. */
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

  /** Loads tags and collections again. */
  async refresh() {
    // The next refresh tries again.
    const folders = await import('./sidebar-folders.js').catch(() => null);
    await folders?.showFolders(this.#sidebar, (table, folder) => this.edit(table, folder));
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
