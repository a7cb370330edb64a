// The section of activity: the audit log of the account.

import { authorizedRequest } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';
import { createElement, createTime } from '../shared/ui/elements.js';
import { setUpListSection } from '../shared/ui/list-section.js';
import { onAccountChange } from './account-changes.js';
import { deviceName } from './device-names.js';

/** Entries that are shown before "Show all" is pressed. */
const FOLDED_COUNT = 10;

const LINK_KINDS = {
  recovery: t('A link to choose a new password was created'),
  invite: t('An invitation was created'),
  email_change: t('A link to confirm a new email address was created'),
};

/** Action → function from the details of the entry to its text. */
const ACTIONS = {
  user_created: () => t('Account created'),
  user_invited: () => t('Invited'),
  signed_in: () => t('Signed in'),
  session_ended: () => t('A device was signed out'),
  password_changed: () => t('Password changed'),
  email_changed: () => t('Email changed'),
  token_created: ({ name }) => t('API token “{name}” created', { name }),
  token_revoked: ({ name }) => t('API token “{name}” revoked', { name }),
  link_made: ({ kind }) => LINK_KINDS[kind] ?? t('A sign-in link was created'),
  user_disabled: () => t('Account disabled'),
  user_enabled: () => t('Account enabled again'),
  app_metadata_changed: ({ admin }) => (admin === true ? t('Made an admin') : t('Permissions changed')),
  user_metadata_changed: () => t('Details changed'),
  user_deleted: () => t('Account deleted'),
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
    showAllButton.textContent = t('Show all {count}', { count: rows.length });
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
    address && t('from {address}', { address }),
    user_agent && t('with {device}', { device: deviceName(user_agent) }),
  ];
  return createElement('li', { title: user_agent ?? '' },
    createElement('p', { dir: 'auto' }, words.filter(Boolean).join(' ')),
    createElement('p', { className: 'facts' }, createTime(at)));
}

// A visitor is the user before signing in. What users did themselves needs no mention.
function describeActor(actor) {
  if (actor === 'user' || actor === 'visitor') return '';
  return actor.startsWith('admin ') ? t('by an admin') : t('by the server administrator');
}
