// The section of devices: the sessions of the user.

import { authorizedRequest } from '../shared/api/session.js';
import { t, textParts } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';
import { createElement, createFactsLine, createTime } from '../shared/ui/elements.js';
import { setUpListSection } from '../shared/ui/list-section.js';
import { showToast } from '../shared/ui/toast.js';
import { notifyAccountChange, onAccountChange } from './account-changes.js';
import { deviceName } from './device-names.js';

/** Shows the section. */
export function showDevices() {
  const section = document.getElementById('devices');
  const endOthersButton = document.getElementById('end-others');
  const refresh = setUpListSection(section, loadSessions, createRow, (sessions) => {
    endOthersButton.hidden = sessions.length < 2;
  });
  onAccountChange(refresh);
  endOthersButton.onclick = busyWhile(endOtherSessions);
}

// This device comes first.
async function loadSessions() {
  const sessions = await authorizedRequest('/auth/v1/sessions');
  return sessions.sort((a, b) => b.current - a.current);
}

function createRow({ id, user_agent, address, last_seen_at, current }) {
  const name = deviceName(user_agent);
  const badge = current && createElement('span', { className: 'badge', textContent: t('this device') });
  const seen = current ? t('active now') : lastSeen(last_seen_at);
  const button = createElement('button', {
    textContent: t('Sign out'),
    ariaLabel: t('Sign out {name}', { name }),
    onclick: busyWhile(() => endSession(id, name)),
  });
  return createElement('li', { title: user_agent ?? '' },
    createElement('div', {},
      createElement('p', { className: 'head', dir: 'auto' }, name, ' ', badge),
      createFactsLine(address, seen)),
    !current && button);
}

function lastSeen(iso) {
  return createElement('span', {}, ...textParts('last seen {time}', { time: createTime(iso) }));
}

async function endSession(id, name) {
  await authorizedRequest(`/auth/v1/sessions/${id}`, { method: 'DELETE' }).catch((error) => {
    // A session that has ended already needs no error message.
    if (error.status !== 404) throw error;
  });
  showToast(t('{name} is signed out.', { name }));
  notifyAccountChange();
}

async function endOtherSessions() {
  const details = t('Every other device will have to sign in again. Programs that use API tokens keep working.');
  if (!await confirmAction(t('Sign out all other devices?'), details, t('Sign out'))) return;
  await authorizedRequest('/auth/v1/logout?scope=others', { method: 'POST' });
  showToast(t('All other devices are signed out.'));
  notifyAccountChange();
}
