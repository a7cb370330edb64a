// Pairing: shows a code with which another device gets an API token of its own.

import { onSubmit } from '../shared/forms/form.js';
import { t } from '../shared/locale/translate.js';
import { notifyAccountChange } from './account-changes.js';
import { passwordRequest } from './password-request.js';

/** Sets up the button "Pair a device". */
export function setUpPairing() {
  const form = document.getElementById('pair-device');
  const passwordLabel = form.querySelector('label');
  onSubmit(form, async ({ password }) => {
    try {
      showPairing(await passwordRequest('/auth/v1/pairings', 'POST', password ? { password } : {}));
    } catch (error) {
      if (error.code !== 'reauthentication_needed') throw error;
      passwordLabel.hidden = false;
      throw Object.assign(Error(t('Enter your password to pair a device.')), { field: 'password' });
    }
    form.hidden = true;
    passwordLabel.hidden = true;
  });
}

function showPairing({ code, url, qr }) {
  const box = document.getElementById('pairing');
  const image = box.querySelector('img');
  image.hidden = !qr;
  if (qr) image.src = `data:image/svg+xml,${encodeURIComponent(qr)}`;
  document.getElementById('pairing-address').textContent = url.replace(/#.*/, '');
  document.getElementById('pairing-code').textContent = code;
  document.getElementById('pairing-done').onclick = () => {
    image.removeAttribute('src');
    document.getElementById('pairing-code').textContent = '';
    box.hidden = true;
    const form = document.getElementById('pair-device');
    form.hidden = false;
    form.querySelector('button').focus();
    // The token of the device is in the list now.
    notifyAccountChange();
  };
  box.hidden = false;
  box.querySelector('h3').focus();
}
