// The form that signs PullRead's viewer in: its page has none, and takes a cookie.

import { serverURL } from '../shared/api/server.js';
import { onSubmit } from '../shared/forms/form.js';
import { t } from '../shared/locale/translate.js';
import { MESSAGES } from '../shared/ui/messages.js';

/** @param {HTMLFormElement} form */
export function setUpViewer(form) {
  onSubmit(form, async ({ token }) => {
    const body = JSON.stringify({ token: token.trim() });
    const { status } = await send('/api/session', { method: 'POST', body });
    if (status === 401) throw failure(t('The token is unknown, expired or revoked.'));
    if (status === 403) throw failure(t('Use a token that can read everything.'));
    if (status !== 200) throw failure(t('The server could not sign the viewer in.'));
    const { ok } = await send('/pullread/', { method: 'HEAD' });
    if (!ok) {
      throw failure(t('The viewer is not installed on this server. Ask its admin to set LECTERN_PULLREAD_VIEWER.'));
    }
    location.assign(serverURL('/pullread/'));
  });
}

async function send(path, options) {
  try {
    return await fetch(serverURL(path), options);
  } catch {
    throw failure(MESSAGES.noResponse.text);
  }
}

function failure(message) {
  return Object.assign(new Error(message), { field: 'token' });
}
