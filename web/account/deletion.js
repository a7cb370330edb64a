// The end of an account.
import { onSubmit } from '/forms.js';
import { signed } from '/session.js';
import { only } from './views.js';

const form = document.getElementById('delete-account'), address = document.getElementById('address-to-type');
const about = (field, words) => Object.assign(Error(words), { field });
const normal = (text) => text.trim().toLowerCase();

export function prepareDeletion() {
  onSubmit(form, async ({ password, typed }) => {
    if (normal(typed) !== normal(address.textContent)) throw about('typed', 'This is not your address.');
    await signed('/auth/v1/user', { method: 'DELETE', body: { password } }).catch((error) => {
      throw error.code === 'invalid_credentials' ? about('password', 'This is not your password.') : error;
    });
    farewell();
  });
}

function farewell() {
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', location.pathname);
  document.getElementById('bar').hidden = true;
  // What the account page showed is gone from it too.
  document.getElementById('account').replaceChildren();
  document.title = 'Farewell – Lectern';
  only('farewell').querySelector('h1').focus();
}
