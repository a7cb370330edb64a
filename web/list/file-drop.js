// Files that are dropped anywhere on the page of the list.

import { droppedFiles } from '../shared/ui/held-input.js';

/**
 * Sets up dropping files, and takes those that were dropped before.
 * @param {HTMLFormElement} form which shows that files can be dropped
 * @param {() => Promise<import('./file-uploads.js').FileUploads>} uploads loads what sends them
 */
export function setUpFileDrop(form, uploads) {
  const take = async () => {
    const files = droppedFiles.splice(0);
    if (files.length && form.checkVisibility()) (await uploads()).send(files);
  };
  addEventListener('dragover', ({ dataTransfer }) => {
    if (!dataTransfer?.types.includes('Files')) return;
    if (form.checkVisibility()) form.classList.add('dropping');
    else dataTransfer.dropEffect = 'none';
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (!relatedTarget) form.classList.remove('dropping');
  });
  addEventListener('drop', () => {
    form.classList.remove('dropping');
    take();
  });
  take();
}
