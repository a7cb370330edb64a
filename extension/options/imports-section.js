// Importing the reading list and the bookmarks of the browser.

import { ask } from '../shared/ask.js';
import { t } from '../shared/words.js';

const element = (id) => document.getElementById(id);

/** Sets up the section "Import". */
export function setUpImports() {
  // Browsers without a reading list do not know its permission.
  element('reading-list').onclick = () => withPermission('readingList', () => ask('import-reading-list'));
  element('bookmarks').onclick = () => withPermission('bookmarks', showFolders);
  element('folders').onsubmit = (event) => {
    event.preventDefault();
    const folders = new FormData(element('folders')).getAll('folder');
    withPermission('bookmarks', () => ask('import-bookmarks', { folders }));
  };
}

async function withPermission(permission, work) {
  const state = element('import-state');
  state.textContent = t('Working…');
  try {
    const isAllowed = await chrome.permissions.request({ permissions: [permission] });
    state.textContent = isAllowed ? await work() ?? '' : t('Without the permission nothing can be imported.');
  } catch (error) {
    state.textContent = error.message;
  }
}

async function showFolders() {
  const folders = await ask('bookmark-folders');
  element('folder-choices').replaceChildren(...folders.map(({ id, path, count }) => {
    const label = document.createElement('label');
    label.className = 'choice';
    const input = Object.assign(document.createElement('input'), { type: 'checkbox', name: 'folder', value: id });
    label.append(input, `${path} (${count})`);
    return label;
  }));
  element('folders').hidden = !folders.length;
  return folders.length ? '' : t('There are no bookmarks.');
}
