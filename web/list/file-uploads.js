// Files that are saved: their upload with its progress, and what went wrong. A file that cannot be sent now waits.

import { saveFile } from '../shared/links/files-api.js';
import { t } from '../shared/locale/translate.js';
import { changeLater } from '../shared/offline/changes.js';
import { deleteLink, randomId } from '../shared/offline/offline-links.js';
import { createElement } from '../shared/ui/elements.js';
import { showError, showToast } from '../shared/ui/toast.js';

/** @typedef {import('../shared/links/link-text.js').Link} Link */
/** @typedef {import('../shared/links/files-api.js').SavedFile} SavedFile */

export class FileUploads {
  #list;
  #input;
  #onSaved;
  #onWaiting;
  #onFailed;
  /** Files are sent one after the other. */
  #last = Promise.resolve();

  /**
   * @param {HTMLElement} part with a list, and a file input if files can be chosen there
   * @param {object} page
   * @param {(link: Link, file: File, isDuplicate: boolean) => void} page.onSaved
   * @param {(file: File) => void} page.onWaiting called when a file was kept on this device, to be sent later
   * @param {(file: File) => void} [page.onFailed] called when a file was refused or cancelled, which the list says
   */
  constructor(part, { onSaved, onWaiting, onFailed }) {
    this.#list = part.querySelector('ul');
    this.#input = part.querySelector('input');
    this.#onSaved = onSaved;
    this.#onWaiting = onWaiting;
    this.#onFailed = onFailed;
    if (!this.#input) return;
    this.#input.onchange = () => {
      this.send([...this.#input.files]);
      // The same file can be chosen again.
      this.#input.value = '';
    };
  }

  /** Lets the user choose files. */
  choose() {
    this.#input.click();
  }

  /**
   * @param {File[]} files
   * @param {Omit<SavedFile, 'file'>} [values] what is done with their links
   */
  send(files, values) {
    for (const file of files) {
      const entry = this.#addEntry(file);
      this.#last = this.#last.then(() => this.#save({ file, ...values }, entry)).catch((error) => {
        entry.fail(error);
        this.#onFailed?.(file);
      });
    }
  }

  async #save(saved, entry) {
    try {
      entry.signal.throwIfAborted();
      const { link, isDuplicate } = await saveFile(saved, entry);
      this.#onSaved(link, saved.file, isDuplicate);
    } catch (error) {
      if (error.status || entry.signal.aborted) throw error;
      await changeLater({ kind: 'file', linkId: randomId(), ...saved });
      this.#onWaiting(saved.file);
    }
    entry.remove();
  }

  #addEntry({ name }) {
    const abort = new AbortController();
    const bar = createElement('progress', { max: 1, value: 0, ariaLabel: t('Upload of {name}', { name }) });
    const status = createElement('span', { role: 'status' }, t('Waiting…'));
    const button = createElement('button', {
      type: 'button', className: 'plain', ariaLabel: t('Cancel {name}', { name }),
    }, t('Cancel'));
    const item = createElement('li', {}, createElement('b', { dir: 'auto' }, name), bar, status, button);
    this.#list.append(item);
    button.onclick = () => {
      abort.abort();
      item.remove();
    };
    return {
      signal: abort.signal,
      remove: () => item.remove(),
      onProgress: (fraction) => {
        bar.value = fraction;
        status.textContent = fraction < 1 ? t('{percent}% sent', { percent: Math.floor(fraction * 100) }) : t('Storing…');
      },
      onReading: () => {
        bar.removeAttribute('value');
        status.textContent = t('Reading…');
        button.hidden = true;
      },
      fail: (error) => {
        if (abort.signal.aborted) return;
        bar.remove();
        status.replaceWith(createElement('span', { role: 'alert' }, error.message));
        Object.assign(button, { hidden: false, ariaLabel: t('Dismiss {name}', { name }), textContent: t('Dismiss') });
      },
    };
  }
}

/**
 * Returns the uploads of the page of the list, which says what became of each file and can undo a save.
 * @param {HTMLElement} part
 * @param {{onSaved: (link: Link) => void, onUndone: (link: Link) => void}} list
 * @returns {FileUploads}
 */
export function uploadsToList(part, { onSaved, onUndone }) {
  return new FileUploads(part, {
    onSaved: (link, { name }, isDuplicate) => {
      if (isDuplicate) showToast(t('Already saved: {title}', { title: name }));
      else showToast(t('Saved: {title}', { title: name }), () => deleteLink(link.id).then(() => onUndone(link), showError));
      onSaved(link);
    },
    onWaiting: () => showToast(t('Saved on this device. It is sent when the server can be reached.')),
  });
}
