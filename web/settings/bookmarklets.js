// The section with bookmarklets: links that are dragged to the bookmarks bar.

import { serverAddress } from '../shared/api/server.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { copyText } from '../shared/ui/clipboard.js';
import { showToast } from '../shared/ui/toast.js';
import { pageBookmarklet, saveBookmarklet } from './bookmarklet-code.js';

/** @param {HTMLElement} section */
export function setUpBookmarklets(section) {
  const codes = { save: saveBookmarklet(serverAddress()), page: pageBookmarklet(serverAddress()) };
  for (const row of section.querySelectorAll('[data-bookmarklet]')) {
    const code = codes[row.dataset.bookmarklet];
    const link = row.querySelector('a');
    link.href = code;
    // Here it would save the settings page; and this page lets no such link run.
    link.onclick = (event) => {
      event.preventDefault();
      showToast(t('Drag it to the bookmarks bar, or copy it into a new bookmark.'));
    };
    row.querySelector('button').onclick = busyWhile(() => copyText(code));
  }
}
