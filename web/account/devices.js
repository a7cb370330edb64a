// The section of devices: the sessions of the user.

import { authorizedRequest } from '../shared/api/session.js';
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
  const badge = current && createElement('span', { className: 'badge', textContent: 'this device' });
  const seen = current ? 'active now' : createElement('span', {}, 'last seen ', createTime(last_seen_at));
  const button = createElement('button', {
    textContent: 'Sign out',
    ariaLabel: `Sign out ${name}`,
    onclick: busyWhile(() => endSession(id, name)),
  });
  return createElement('li', { title: user_agent ?? '' },
    createElement('div', {},
      createElement('p', { className: 'head', dir: 'auto' }, name, ' ', badge),
      createFactsLine(address, seen)),
    !current && button);
}

async function endSession(id, name) {
  await authorizedRequest(`/auth/v1/sessions/${id}`, { method: 'DELETE' }).catch((error) => {
    // A session that has ended already needs no error message.
    if (error.status !== 404) throw error;
  });
  showToast(`${name} is signed out.`);
  notifyAccountChange();
}

async function endOtherSessions() {
  const details = 'Every other device will have to sign in again. Programs that use API tokens keep working.';
  if (!await confirmAction('Sign out all other devices?', details, 'Sign out')) return;
  await authorizedRequest('/auth/v1/logout?scope=others', { method: 'POST' });
  showToast('All other devices are signed out.');
  notifyAccountChange();
}
