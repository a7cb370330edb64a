// The address from which this server mails books and digests, and the link that confirms the address of the account.

import { request } from '../shared/api/client.js';
import { restRequest } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { showToast } from '../shared/ui/toast.js';

let sender;

/**
 * @returns {Promise<{address?: string | null, confirm?: string | null}>} `address` is null where no mail is sent, and
 *   `confirm` the address of the account that has to be confirmed first; nothing if the server cannot be reached
 */
export function mailSender() {
  sender ??= restRequest('rpc/ereader_sender', { method: 'POST', body: {} }).catch(() => ({}));
  return sender;
}

/**
 * Shows a box with a button that asks for the link, where the address of the account has to be confirmed: whoever signs
 * up may have typed the address of another person, so no mail is sent for the account before.
 * @param {HTMLElement} box
 */
export async function askToConfirm(box) {
  const { address, confirm: email } = await mailSender();
  if (!address || !email) return;
  box.hidden = false;
  box.querySelector('p').textContent = t('Books and digests are sent once you have confirmed your address {email}.', { email });
  box.querySelector('button').onclick = busyWhile(async () => {
    await request('/auth/v1/resend', { method: 'POST', body: { type: 'signup', email } });
    showToast(t('A link was mailed to {email}.', { email }));
  });
}
