// The form of the page for files that an app has shared, and what became of each.

import { FileUploads } from '../list/file-uploads.js';
import { formatSize } from '../shared/format/numbers.js';
import { t } from '../shared/locale/translate.js';
import { deleteLink } from '../shared/offline/offline-links.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createElement } from '../shared/ui/elements.js';
import { readSharedFiles, removeSharedFiles } from './shared-files.js';

const element = (id) => document.getElementById(id);

/**
 * Shows the files in place of the address of a page.
 * @param {HTMLFormElement} form
 * @param {string} share id
 * @returns {Promise<(values: {tags: string[], list: string}) => void>} saves the files
 */
export async function setUpFilesForm(form, share) {
  const files = await readSharedFiles(share).catch(() => []);
  const { url } = form.elements;
  url.closest('label').hidden = true;
  url.required = false;
  element('shared-files').replaceChildren(...files.map(({ name, size }) => createElement('li', {},
    createElement('b', { dir: 'auto' }, name), createElement('span', { className: 'facts' }, formatSize(size)))));
  element('shared-files').hidden = !files.length;
  if (files.length) {
    element('heading').textContent = t('Save {n} file|Save {n} files', { n: files.length });
  } else {
    form.querySelector('button').hidden = true;
    tell(t('The files are no longer on this device. Share them again.'));
  }
  return (values) => {
    form.hidden = true;
    element('files').hidden = false;
    let left = files.length;
    const onDone = () => {
      left -= 1;
      if (!left) removeSharedFiles(share).catch(() => {});
    };
    const uploads = new FileUploads(element('uploads'), {
      onSaved: (link, file, isDuplicate) => {
        showSaved(link, file, isDuplicate);
        onDone();
      },
      onWaiting: ({ name }) => {
        showResult(name, t('Saved on this device. It is sent when the server can be reached.'));
        onDone();
      },
      onFailed: onDone,
    });
    uploads.send(files, values);
  };
}

function showSaved(link, { name }, isDuplicate) {
  const open = createElement('a', { href: `/#/link/${link.id}` }, t('Open'));
  const undo = !isDuplicate && createElement('button', { type: 'button', className: 'undo plain' }, t('Undo'));
  const item = showResult(name, isDuplicate ? t('Already saved.') : t('Saved.'), open, undo);
  if (!undo) return;
  undo.onclick = busyWhile(async () => {
    await deleteLink(link.id);
    open.remove();
    undo.remove();
    item.querySelector('[role=status]').textContent = t('Not saved any more.');
  });
}

function showResult(name, said, ...controls) {
  const item = createElement('li', {},
    createElement('b', { dir: 'auto' }, name), createElement('span', { role: 'status' }, said), ...controls);
  element('saved-files').append(item);
  return item;
}

/** @param {string} text about what was shared */
export function tell(text) {
  const status = element('sent-page');
  status.hidden = false;
  status.textContent = text;
}
