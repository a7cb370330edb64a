// The section of activity: the audit log of the account.

import { authorizedRequest } from '../shared/api/session.js';
import { createElement, createTime } from '../shared/ui/elements.js';
import { setUpListSection } from '../shared/ui/list-section.js';
import { onAccountChange } from './account-changes.js';
import { deviceName } from './device-names.js';

/** Entries that are shown before "Show all" is pressed. */
const FOLDED_COUNT = 10;

const LINK_KINDS = {
  recovery: 'A link to choose a new password was created',
  invite: 'An invitation was created',
  email_change: 'A link to confirm a new email address was created',
};

/** Action → function from the details of the entry to its text. */
const ACTIONS = {
  user_created: () => 'Account created',
  user_invited: () => 'Invited',
  signed_in: () => 'Signed in',
  session_ended: () => 'A device was signed out',
  password_changed: () => 'Password changed',
  email_changed: () => 'Email changed',
  token_created: ({ name }) => `API token “${name}” created`,
  token_revoked: ({ name }) => `API token “${name}” revoked`,
  link_made: ({ kind }) => LINK_KINDS[kind] ?? 'A sign-in link was created',
  user_disabled: () => 'Account disabled',
  user_enabled: () => 'Account enabled again',
  app_metadata_changed: ({ admin }) => (admin === true ? 'Made an admin' : 'Permissions changed'),
  user_metadata_changed: () => 'Details changed',
  user_deleted: () => 'Account deleted',
};

/** Shows the section, newest entries first. */
export function showActivity() {
  const section = document.getElementById('activity');
  const showAllButton = document.getElementById('all-activity');
  let isFolded = true;

  const fold = () => {
    const rows = [...section.querySelectorAll('li')];
    rows.forEach((row, index) => {
      row.hidden = isFolded && index >= FOLDED_COUNT;
    });
    showAllButton.hidden = !isFolded || rows.length <= FOLDED_COUNT;
    showAllButton.textContent = `Show all ${rows.length}`;
  };
  const refresh = setUpListSection(section, () => authorizedRequest('/auth/v1/audit'), createRow, fold);
  onAccountChange(refresh);
  showAllButton.onclick = () => {
    isFolded = false;
    fold();
  };
}

function createRow({ at, action, actor, address, user_agent, details }) {
  const words = [
    ACTIONS[action]?.(details ?? {}) ?? action.replaceAll('_', ' '),
    describeActor(actor),
    address && `from ${address}`,
    user_agent && `with ${deviceName(user_agent)}`,
  ];
  return createElement('li', { title: user_agent ?? '' },
    createElement('p', { dir: 'auto' }, words.filter(Boolean).join(' ')),
    createElement('p', { className: 'facts' }, createTime(at)));
}

// A visitor is the user before signing in. What users did themselves needs no mention.
function describeActor(actor) {
  if (actor === 'user' || actor === 'visitor') return '';
  return actor.startsWith('admin ') ? 'by an admin' : 'by the server administrator';
}
