// Signing out where changes may wait to be sent.

import { signOut } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';
import { sendWaitingChanges } from '../shared/offline/changes.js';
import { waitingChanges } from '../shared/offline/waiting-changes.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';

/** What apps have shared and nobody has saved; see `worker/shares.js`. */
const SHARED_FILES_CACHE = 'shared-files';

/** Sends the changes that wait and signs out. If some are left, the user is asked first, as they would be lost. */
export async function sendAndSignOut() {
  await sendWaitingChanges();
  const { length } = await waitingChanges();
  const question = t('Sign out and lose {n} change?|Sign out and lose {n} changes?', { n: length });
  const details = t('The server could not be reached, or has refused these changes. Signing out deletes them.');
  if (length && !await confirmAction(question, details, t('Sign out'))) return;
  await globalThis.caches?.delete(SHARED_FILES_CACHE);
  await signOut();
}
