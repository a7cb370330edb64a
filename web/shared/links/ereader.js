// Sending books to the user's e-reader by mail.

import { restRequest } from '../api/session.js';
import { t } from '../locale/translate.js';
import { showToast } from '../ui/toast.js';

/**
 * Sends a book by mail.
 * @param {{link: string} | {book: string}} what the id of a link, or of a book of several articles
 * @throws {Error} with a message for the user
 */
export async function sendToEreader(what) {
  const { to } = await restRequest('rpc/send_to_ereader', { method: 'POST', body: what });
  showToast(t('On its way to {address}. Settings, Books, shows whether it was sent.', { address: to }));
}
