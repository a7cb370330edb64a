// Files that are saved: their upload, what the server makes of each, and what went wrong.

import { READING_MESSAGES } from '../reader/reading-messages.js';
import { restRequest } from '../shared/api/session.js';
import { fetchLink } from '../shared/links/links-api.js';
import { t } from '../shared/locale/translate.js';
import { createElement } from '../shared/ui/elements.js';
import { failure } from '../shared/ui/messages.js';
import { showToast } from '../shared/ui/toast.js';
import { uploadFile } from './file-upload.js';

/** The largest file, in bytes. */
const MAX_BYTES = 2 ** 30;

/** The server reads most files at once; the wait between two looks grows to the second number. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 3000;

/** @typedef {import('../shared/links/link-text.js').Link} Link */

export class FileUploads {
  #list;
  #input;
  #onSaved;
  /** Files are sent one after the other. */
  #last = Promise.resolve();

  /**
   * @param {HTMLElement} part with a file input and a list
   * @param {(link: Link) => void} onSaved
   */
  constructor(part, onSaved) {
    this.#list = part.querySelector('ul');
    this.#input = part.querySelector('input');
    this.#onSaved = onSaved;
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

  /** @param {File[]} files */
  send(files) {
    for (const file of files) {
      const entry = this.#addEntry(file);
      this.#last = this.#last.then(() => this.#save(file, entry)).catch((error) => entry.fail(error));
    }
  }

  async #save(file, entry) {
    if (entry.signal.aborted) return;
    if (file.size > MAX_BYTES) throw failure(READING_MESSAGES.fileTooLarge);
    const id = await uploadFile(file, entry.signal, entry.showProgress);
    entry.showReading();
    const { reason, link_id: linkId, duplicate } = await readImport(id);
    const link = linkId && await fetchLink(linkId);
    if (!link) throw Error(reason || await rejection(id) || READING_MESSAGES.fileNotSaved.text);
    entry.remove();
    showToast(duplicate ? t('Already saved: {title}', { title: file.name }) : t('Saved: {title}', { title: file.name }));
    this.#onSaved(link);
  }

  #addEntry({ name }) {
    const abort = new AbortController();
    const bar = createElement('progress', { max: 1, value: 0, ariaLabel: t('Upload of {name}', { name }) });
    const status = createElement('span', { role: 'status' }, t('Waiting…'));
    const button = createElement('button', { className: 'plain', ariaLabel: t('Cancel {name}', { name }) }, t('Cancel'));
    const item = createElement('li', {}, createElement('b', { dir: 'auto' }, name), bar, status, button);
    this.#list.append(item);
    button.onclick = () => {
      abort.abort();
      item.remove();
    };
    return {
      signal: abort.signal,
      remove: () => item.remove(),
      showProgress: (fraction) => {
        bar.value = fraction;
        status.textContent = fraction < 1 ? t('{percent}% sent', { percent: Math.floor(fraction * 100) }) : t('Storing…');
      },
      showReading: () => {
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

async function readImport(id) {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    const [row] = await restRequest(`imports?id=eq.${id}`);
    if (!row) throw failure(READING_MESSAGES.fileMissing);
    if (row.state !== 'reading') return row;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function rejection(id) {
  const [reject] = await restRequest(`import_rejects?import_id=eq.${id}&select=reason`);
  return reject?.reason;
}
