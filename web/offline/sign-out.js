// Signing out where changes may wait to be sent.

import { signOut } from '../shared/api/session.js';
import { formatCount } from '../shared/format/numbers.js';
import { sendWaitingChanges } from '../shared/offline/changes.js';
import { waitingChanges } from '../shared/offline/waiting-changes.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';

/** Sends the changes that wait and signs out. If some are left, the user is asked first, as they would be lost. */
export async function sendAndSignOut() {
  await sendWaitingChanges();
  const { length } = await waitingChanges();
  const question = `Sign out and lose ${formatCount(length, 'change')}?`;
  const details = 'The server could not be reached, or has refused them.';
  if (!length || await confirmAction(question, details, 'Sign out')) await signOut();
}
