// The section of the profile: email address and password.

import { onSubmit } from '../shared/forms/form.js';
import { t } from '../shared/locale/translate.js';
import { showToast } from '../shared/ui/toast.js';
import { notifyAccountChange } from './account-changes.js';
import { passwordRequest } from './password-request.js';

/**
 * Shows the section.
 * @param {{email: string, new_email: string | null}} user `new_email` waits for its confirmation
 */
export function showProfile(user) {
  const emailForm = document.getElementById('change-email');
  const passwordForm = document.getElementById('change-password');
  showEmail(user);
  onSubmit(emailForm, async ({ email, current_password }) => {
    const changed = await updateUser({ email: email.trim(), current_password });
    showEmail(changed);
    finish(emailForm, changed.new_email
      ? t('A link was mailed to {email}.', { email: changed.new_email })
      : t('Your email address was changed.'));
  });
  onSubmit(passwordForm, async ({ password, current_password, revoke_tokens }) => {
    await updateUser({ password, current_password, revoke_tokens: Boolean(revoke_tokens) });
    finish(passwordForm, revoke_tokens
      ? t('Your password was changed. Your other devices were signed out, and all API tokens are revoked.')
      : t('Your password was changed. Your other devices were signed out.'));
  });
}

function updateUser(changes) {
  return passwordRequest('/auth/v1/user', 'PUT', changes);
}

// The address is also shown beside the field that confirms the deletion, and hidden fields hold it for
// password managers.
function showEmail({ email, new_email: newEmail }) {
  const announcement = document.getElementById('new-email');
  announcement.hidden = !newEmail;
  announcement.querySelector('span').textContent = newEmail ?? '';
  for (const id of ['email', 'address-to-type']) document.getElementById(id).textContent = email;
  for (const field of document.querySelectorAll('#account [name=username]')) field.defaultValue = email;
}

function finish(form, message) {
  const details = form.closest('details');
  details.open = false;
  details.querySelector('summary').focus();
  showToast(message);
  notifyAccountChange();
}
