// "More actions" of a link: its tags and collections, its address, and fetching the page again.

import { isDocument, linkTitle, linkURL } from '../shared/links/link-text.js';
import { fetchCopyURL } from '../shared/links/page-copies-api.js';
import { setOriginal } from '../shared/links/original.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { copyText } from '../shared/ui/clipboard.js';
import { createElement } from '../shared/ui/elements.js';
import { showError } from '../shared/ui/toast.js';
import { collectionTree } from './collection-tree.js';
import { suggestTags } from './folder-dialog.js';
import { createFolder, findCollection } from './folder-changes.js';
import { addTag, fetchCollections, fetchFolders, removeTag, setMembership } from './folders-api.js';

export class LinkDialog {
  #dialog;
  #onFiled;
  #onRetry;
  #link;
  /** Number of the latest request for what the link is filed under; answers to earlier ones are ignored. */
  #latestRequest = 0;

  /**
   * @param {HTMLDialogElement} dialog
   * @param {object} callbacks
   * @param {(id: string) => void} callbacks.onFiled called after the tags or collections of a link have changed
   * @param {(link: import('../shared/links/link-text.js').Link) => void} callbacks.onRetry fetches a page again
   */
  constructor(dialog, { onFiled, onRetry }) {
    this.#dialog = dialog;
    this.#onFiled = onFiled;
    this.#onRetry = onRetry;
    const { tag } = dialog.querySelector('.add-tag').elements;
    suggestTags(tag);
    this.#onSubmit('.add-tag', addTag);
    this.#onSubmit('.add-collection', async (link, name) => {
      const same = await findCollection(name, null);
      if (same?.query) throw Error(t('This name is taken.'));
      const { id } = same ?? await createFolder('collections', { name });
      await setMembership(link, id, true);
    });
    this.#onPress('.copy', () => this.#copy());
    this.#onPress('.qr', () => this.#showCode());
    this.#onPress('.book', () => this.#download());
    this.#onPress('.send', () => this.#send());
    dialog.querySelector('.again').onclick = () => {
      dialog.close();
      this.#onRetry(this.#link);
    };
    dialog.querySelector('.close').onclick = () => dialog.close();
  }

  /**
   * Opens the dialog. The button that opened it has the focus again afterwards.
   * @param {import('../shared/links/link-text.js').Link} link
   */
  open(link) {
    this.#link = link;
    this.#dialog.querySelector('h2').textContent = linkTitle(link);
    setOriginal(this.#dialog.querySelector('.original'), link);
    // A file has no address to copy, and nothing to fetch.
    this.#dialog.querySelector('.copy').hidden = isDocument(link);
    for (const name of ['.book', '.send']) this.#dialog.querySelector(name).hidden = link.state !== 'ready';
    this.#dialog.querySelector('.again').hidden = link.state === 'pending' || isDocument(link);
    this.#part('.saved-copy').hidden = true;
    this.#offerCopy().catch(() => {});
    for (const name of ['.tag-list', '.collection-list']) this.#part(name).replaceChildren();
    this.#dialog.showModal();
    this.#part('[role=alert]').textContent = '';
    this.#refresh().catch((error) => this.#showError(error, link.id));
  }

  async #refresh() {
    const number = this.#latestRequest += 1;
    const requests = [fetchFolders(this.#link.id), fetchCollections().catch(noCollections)];
    const [{ tags, collections }, all] = await Promise.all(requests);
    if (number !== this.#latestRequest) return;
    this.#part('.tag-list').replaceChildren(...tags.map((tag) => this.#tagItem(tag)));
    // Without those of the link, the boxes would be wrong.
    const own = collections ? collectionTree(all.filter(({ query }) => !query)) : [];
    const chosen = new Set(collections);
    this.#part('.collection-list').replaceChildren(...own.map((each) => this.#collectionItem(each, chosen)));
  }

  #tagItem({ id, name }) {
    const remove = createElement('button', { type: 'button', title: t('Remove') }, '×');
    remove.ariaLabel = t('Remove tag {name}', { name });
    remove.onclick = busyWhile(async () => {
      const link = this.#link.id;
      await removeTag(link, id);
      await this.#onChange(link);
      // The button had the focus and is gone. The user may have moved on.
      if (document.activeElement === document.body) this.#part('.add-tag input').focus();
    });
    return createElement('li', {}, createElement('span', { dir: 'auto' }, `#${name}`), remove);
  }

  #collectionItem({ id, name, depth }, chosen) {
    const box = createElement('input', { type: 'checkbox', checked: chosen.has(id) });
    box.onchange = async () => {
      const link = this.#link.id;
      try {
        await setMembership(link, id, box.checked);
        this.#onFiled(link);
      } catch (error) {
        box.checked = !box.checked;
        this.#showError(error, link);
      }
    };
    const label = createElement('label', {}, box, createElement('span', { dir: 'auto' }, name));
    label.style.setProperty('--depth', depth);
    return createElement('li', {}, label);
  }

  #onPress(selector, act) {
    this.#part(selector).onclick = busyWhile(async () => {
      try {
        await act();
      } catch (error) {
        this.#showError(error);
      }
    });
  }

  #onSubmit(selector, add) {
    const form = this.#dialog.querySelector(selector);
    const field = form.querySelector('input');
    /** The links and names that are being added. */
    const sending = new Set();
    form.onsubmit = async (event) => {
      event.preventDefault();
      const { id } = this.#link;
      const name = field.value.trim();
      const sent = `${id} ${name}`;
      if (!name || sending.has(sent)) return;
      sending.add(sent);
      try {
        await add(id, name);
        // The user may be typing the next one.
        if (field.value.trim() === name) field.value = '';
        await this.#onChange(id);
      } catch (error) {
        this.#showError(error, id);
      }
      sending.delete(sent);
    };
  }

  async #onChange(id) {
    this.#onFiled(id);
    await this.#refresh();
  }

  // A toast would be behind the dialog, which may have been opened for another link since.
  #showError(error, id = this.#link.id) {
    if (this.#dialog.open && id === this.#link.id) this.#part('[role=alert]').textContent = error.message;
    else showError(error);
  }

  // Its address is valid for a while, so it is asked for each time.
  async #offerCopy() {
    const { id } = this.#link;
    const url = await fetchCopyURL(id);
    if (url && id === this.#link.id) Object.assign(this.#part('.saved-copy'), { href: url, hidden: false });
  }

  async #copy() {
    this.#dialog.close();
    await copyText(linkURL(this.#link), t('Link copied.'));
  }

  async #showCode() {
    const { showQRCode } = await import('../shared/ui/qr-dialog.js');
    await showQRCode(t('The address of the page'), linkURL(this.#link));
  }

  async #download() {
    const { downloadBook } = await import('./book-download.js');
    await downloadBook(this.#link.id);
    this.#dialog.close();
  }

  async #send() {
    const { sendToEreader } = await import('../shared/links/ereader.js');
    await sendToEreader({ link: this.#link.id });
    this.#dialog.close();
  }

  #part(selector) {
    return this.#dialog.querySelector(selector);
  }
}

// The server may be lost at this moment.
function noCollections(error) {
  if (error.status) throw error;
  return [];
}
