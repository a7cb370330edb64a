// The address and the password.
import { onSubmit } from '/forms.js';
import { signed } from '/session.js';
import { tell } from '/toast.js';
import { changed } from './changes.js';

const $ = (selector) => document.querySelector(selector);
const change = (body) => signed('/auth/v1/user', { method: 'PUT', body });

export function showProfile(user) {
  showAddress(user);
  onSubmit($('#change-email'), async ({ email }) => {
    showAddress(await change({ email: email.trim() }));
    close('#change-email');
    tell('Your email is changed.');
    changed();
  });
  onSubmit($('#change-password'), async ({ password }) => {
    await change({ password });
    close('#change-password');
    tell('Your password is changed. Your other devices were signed out.');
    changed();
  });
}

/** The address stands where it is shown, where it has to be typed, and where password managers look for it. */
function showAddress({ email }) {
  for (const place of ['#email', '#address-to-type']) $(place).textContent = email;
  for (const field of document.querySelectorAll('#account [name=username]')) field.defaultValue = email;
}

function close(form) {
  const details = $(form).closest('details');
  details.open = false;
  details.querySelector('summary').focus();
}
