// Files that are dropped anywhere on the page of the list.

/**
 * Sets up dropping files.
 * @param {HTMLFormElement} form which shows that files can be dropped
 * @param {() => Promise<import('./file-uploads.js').FileUploads>} uploads loads what sends them
 */
export function setUpFileDrop(form, uploads) {
  const hasFiles = ({ dataTransfer }) => (
    [...dataTransfer?.items ?? []].some(({ kind }) => kind === 'file') && form.checkVisibility());
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.add('dropping');
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (!relatedTarget) form.classList.remove('dropping');
  });
  addEventListener('drop', async (event) => {
    form.classList.remove('dropping');
    if (!hasFiles(event)) return;
    event.preventDefault();
    // The list is empty once the event is over.
    const files = [...event.dataTransfer.files];
    (await uploads()).send(files);
  });
}
