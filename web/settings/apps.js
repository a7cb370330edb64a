// The section with what apps need to know of this server.

import { fetchAnonKey } from '../shared/api/client.js';
import { serverAddress } from '../shared/api/server.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { showError, showToast } from '../shared/ui/toast.js';

/** @param {HTMLElement} section */
export function setUpApps(section) {
  section.querySelector('#address').value = serverAddress();
  fetchAnonKey().then(
    (key) => {
      section.querySelector('#public-key').value = key;
    },
    showError,
  );
  for (const row of section.querySelectorAll('.copy')) {
    const field = row.querySelector('input');
    row.querySelector('button').onclick = busyWhile(() => copy(field));
  }
}

async function copy(field) {
  field.select();
  // Browsers let pages write to the clipboard only with HTTPS, or on the machine itself.
  if (!navigator.clipboard) throw Error(t('Copy the selected text with your browser.'));
  await navigator.clipboard.writeText(field.value);
  showToast(t('Copied.'));
}
