// Asking for a link to choose a new password.

import { request } from '../api/client.js';
import { t } from '../locale/translate.js';
import { onSubmit } from './form.js';

/**
 * Sets up a form with the field `email`, a `role=status` element and one strong button. The message after
 * sending is the same whether or not the account exists, as the server's response is.
 * @param {HTMLFormElement} form
 */
export function setUpRecoveryForm(form) {
  const status = form.querySelector('[role=status]');
  const button = form.querySelector('.strong');
  form.addEventListener('input', () => {
    status.textContent = '';
  });
  onSubmit(form, async (values) => {
    const email = values.email.trim();
    await request('/auth/v1/recover', { method: 'POST', body: { email } });
    status.textContent = t('If there is an account for {email}, an email is on its way. '
      + 'The link in it is valid for one hour. '
      + 'If it does not arrive, check your spam folder or contact the administrator.', { email });
    button.textContent = t('Send another link');
    // The address stays when the form is reset.
    form.elements.email.defaultValue = values.email;
  });
}
