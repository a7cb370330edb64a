// The section that deletes the account.

import { onSubmit } from '../shared/forms/form.js';
import { t } from '../shared/locale/translate.js';
import { passwordRequest } from './password-request.js';
import { showView } from './views.js';

/** Sets up the form. It asks for the password and for the email address, which is shown beside it. */
export function setUpDeletion() {
  onSubmit(document.getElementById('delete-account'), async ({ password, typed }) => {
    const email = document.getElementById('address-to-type').textContent;
    if (normalize(typed) !== normalize(email)) throw fieldError('typed', t('This is not your email address.'));
    await passwordRequest('/auth/v1/user', 'DELETE', { password });
    showDeleted();
  });
}

// Removes everything about the user from the browser and from the page.
function showDeleted() {
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', location.pathname);
  document.getElementById('bar').hidden = true;
  document.getElementById('account').replaceChildren();
  document.title = t('Account deleted – Lectern');
  showView('deleted').querySelector('h1').focus();
}

function fieldError(field, message) {
  return Object.assign(Error(message), { field });
}

function normalize(text) {
  return text.trim().toLowerCase();
}
