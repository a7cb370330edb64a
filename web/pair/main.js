// The page at `/pair/`: exchanges a code of the account page for an API token of this device. The code stands in the
// fragment, which is sent to no server. Opening the page uses nothing up; pressing the button does.

import { deviceName } from '../account/device-names.js';
import { request } from '../shared/api/client.js';
import { serverAddress } from '../shared/api/server.js';
import { onSubmit } from '../shared/forms/form.js';
import { t } from '../shared/locale/translate.js';
import { copyText } from '../shared/ui/clipboard.js';

const element = (id) => document.getElementById(id);

function start() {
  const form = element('claim-code');
  element('claim').hidden = false;
  const { code, device } = form.elements;
  code.defaultValue = decodeURIComponent(location.hash.slice(1).replace(/%(?![0-9a-f]{2})/gi, '')).slice(0, 40);
  device.defaultValue = deviceName(navigator.userAgent);
  if (code.value) form.querySelector('button').focus();
  else code.focus();
  onSubmit(form, async (values) => {
    const body = { code: values.code, device: values.device.trim() };
    const paired = await request('/auth/v1/pairings/claim', { method: 'POST', body }).catch((error) => {
      if (error.code !== 'otp_expired') throw error;
      throw Object.assign(error, { field: 'code', message: t('The code is wrong, used or expired. '
        + 'Make a new one with "Pair a device" on the account page.') });
    });
    showToken(paired);
  });
  addEventListener('hashchange', () => location.reload());
}

function showToken({ token, email }) {
  // The code is used up.
  history.replaceState(null, '', location.pathname);
  element('email').textContent = email;
  element('token').value = token;
  element('endpoint').textContent = `${serverAddress()}/rest/v1/links`;
  element('copy-token').onclick = () => copyText(token);
  element('claim').hidden = true;
  element('paired').hidden = false;
  element('paired-name').focus();
}

start();
