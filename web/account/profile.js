// The section of the profile: email address and password.

import { authorizedRequest } from '../shared/api/session.js';
import { onSubmit } from '../shared/forms/form.js';
import { showToast } from '../shared/ui/toast.js';
import { notifyAccountChange } from './account-changes.js';

/**
 * Shows the section.
 * @param {{email: string}} user
 */
export function showProfile(user) {
  const emailForm = document.getElementById('change-email');
  const passwordForm = document.getElementById('change-password');
  showEmail(user.email);
  onSubmit(emailForm, async (values) => {
    const { email } = await updateUser({ email: values.email.trim() });
    showEmail(email);
    finish(emailForm, 'Your email address was changed.');
  });
  onSubmit(passwordForm, async ({ password }) => {
    await updateUser({ password });
    finish(passwordForm, 'Your password was changed. Your other devices were signed out.');
  });
}

function updateUser(changes) {
  return authorizedRequest('/auth/v1/user', { method: 'PUT', body: changes });
}

// The address is also shown beside the field that confirms the deletion, and hidden fields hold it for
// password managers.
function showEmail(email) {
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
