// The dialog that creates, changes, merges and deletes a tag or a collection.

import { t } from '../shared/locale/translate.js';
import { showError, showToast } from '../shared/ui/toast.js';
import { createFolder, deleteCollection, deleteTag, findCollection, mergeTag, updateFolder } from './folder-changes.js';

/** The headings of the dialog and what is said after a deletion. */
const TEXTS = {
  tags: { edit: t('Edit tag'), create: t('New tag'), deleted: (name) => t('Deleted tag {name}.', { name }) },
  collections: {
    edit: t('Edit collection'),
    create: t('New collection'),
    deleted: (name) => t('Deleted collection {name}.', { name }),
  },
};

const NAME_TAKEN = t('This name is taken.');

export class FolderEditor {
  #dialog;
  #onChanged;
  /** Whether a change is being sent; another object for each time that the dialog is opened. */
  #request = { isRunning: false };

  /**
   * @param {HTMLDialogElement} dialog
   * @param {() => void} onChanged called after a tag or collection has changed
   */
  constructor(dialog, onChanged) {
    this.#dialog = dialog;
    this.#onChanged = onChanged;
    dialog.querySelector('.cancel').onclick = () => dialog.close();
  }

  /**
   * Opens the dialog for a tag or collection, which is created if it has no id.
   * @param {'tags' | 'collections'} table
   * @param {{id?: string, name: string, query?: string | null, parent_id?: string | null}} folder
   */
  open(table, folder) {
    const dialog = this.#dialog;
    this.#request = { isRunning: false };
    this.#showBusy(false);
    const form = dialog.querySelector('form');
    const { name, query } = form.elements;
    dialog.onclose = () => returnFocus(table, folder.id);
    dialog.querySelector('h2').textContent = TEXTS[table][folder.id ? 'edit' : 'create'];
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
      this.#run(() => save(table, folder, values));
    };
    dialog.showModal();
    name.focus();
  }

  async #run(change) {
    const request = this.#request;
    if (request.isRunning) return;
    request.isRunning = true;
    this.#showBusy(true);
    // The user may have cancelled, and opened the dialog for something else.
    const isShown = () => this.#dialog.open && this.#request === request;
    try {
      await change();
      if (isShown()) this.#dialog.close();
      this.#onChanged();
    } catch (error) {
      request.isRunning = false;
      if (!isShown()) {
        showError(error);
        return;
      }
      this.#showBusy(false);
      // The server enforces unique names only for tags.
      const isTaken = error.code === '23505';
      this.#dialog.querySelector('[role=alert]').textContent = isTaken ? NAME_TAKEN : error.message;
      // Only a tag that can be deleted can be merged.
      this.#dialog.querySelector('.merge').hidden = !isTaken || this.#dialog.querySelector('.delete').hidden;
    }
  }

  #showBusy(isBusy) {
    this.#dialog.querySelector('.strong').ariaDisabled = isBusy ? 'true' : null;
  }

  async #delete(table, { id, name }) {
    const undo = await (table === 'tags' ? deleteTag(id) : deleteCollection(id));
    showToast(TEXTS[table].deleted(name), () =>
      undo().then(() => this.#onChanged(), showError));
  }
}

// The button that opened the dialog may be gone: on a phone, the dialog has closed the sheet, and elsewhere, the sidebar
// may have been filled while the dialog was open.
function returnFocus(table, id) {
  const { activeElement } = document;
  if (activeElement !== document.body && activeElement.checkVisibility()) return;
  const places = [`#sidebar [data-folder="${id}"] button`, `#sidebar [data-new=${table}]`, '#sidebar-toggle'];
  places.map((place) => document.querySelector(place)).find((place) => place?.checkVisibility())?.focus();
}

async function save(table, { id, name, parent_id: parent = null }, values) {
  // A collection that already shares its name can still be saved under it.
  const isRenamed = values.name.toLowerCase() !== name.toLowerCase();
  if (table === 'collections' && isRenamed && await findCollection(values.name, parent)) throw Error(NAME_TAKEN);
  await (id ? updateFolder(table, id, values) : createFolder(table, values));
}
