// Signing in, creating an account where the server allows it, and asking for a link when the password is
// forgotten.

import { request } from '../api/client.js';
import { signIn } from '../api/session.js';
import { takeFlashMessage } from '../ui/flash-message.js';
import { onSubmit } from './form.js';
import { setUpRecoveryForm } from './recovery-form.js';

/**
 * Sets up the sign-in section of the home page.
 * @param {HTMLElement} section contains the forms `#login` and `#recover`
 * @param {() => void} onSignedIn
 */
export function setUpSignIn(section, onSignedIn) {
  const loginForm = section.querySelector('#login');
  const recoveryForm = section.querySelector('#recover');

  onSubmit(loginForm, async (values, endpoint) => {
    await signIn(endpoint, values);
    onSignedIn();
  });
  setUpRecoveryForm(recoveryForm);
  section.querySelector('#forgot').onclick = () => switchForm(loginForm, recoveryForm);
  section.querySelector('#back-to-sign-in').onclick = () => switchForm(recoveryForm, loginForm);
  loginForm.querySelector('p[role=alert]').textContent = takeFlashMessage();
  showWhoMaySignUp(section);
}

async function showWhoMaySignUp(section) {
  // If the request fails, the button is shown: the server refuses a sign-up that is not allowed.
  const settings = await request('/auth/v1/settings').catch(() => ({ disable_signup: false }));
  section.querySelector('[value=signup]').hidden = settings.disable_signup;
  section.querySelector('#invitation').hidden = !settings.disable_signup;
  section.querySelector('#first-account').hidden = !settings.first_account;
}

// Keeps what was typed as the email address.
function switchForm(from, to) {
  from.hidden = true;
  to.hidden = false;
  to.elements.email.value = from.elements.email.value;
  to.elements.email.focus();
}
