// The account page at `/account/`. It shows the account of the signed-in user, or what a link from an email
// is for. Texts of users become text nodes, never markup.

import { sendAndSignOut } from '../offline/sign-out.js';
import { serverURL } from '../shared/api/server.js';
import { authorizedRequest, currentSession, reloadWhenUserChanges } from '../shared/api/session.js';
import { showActivity } from './activity.js';
import { setUpDeletion } from './deletion.js';
import { showDevices } from './devices.js';
import { openEmailLink, takeLinkFromURL } from './email-link.js';
import { showExports } from './exports.js';
import { setUpPairing } from './pairing.js';
import { setUpPasswordToggles } from './password-toggle.js';
import { showProfile } from './profile.js';
import { showTokens } from './tokens.js';
import { showUsers } from './users.js';
import { showView } from './views.js';
import { showWebhooks } from './webhooks.js';

async function start() {
  document.getElementById('logout').onclick = sendAndSignOut;
  document.querySelector('#load-error button').onclick = () => location.reload();
  // Opening a link from an email while this page is open only changes the fragment.
  addEventListener('hashchange', () => {
    if (/[#&](token_hash|error)=/.test(location.hash)) location.reload();
  });
  reloadWhenUserChanges();
  setUpPasswordToggles();

  const link = takeLinkFromURL();
  if (link) {
    openEmailLink(link);
    return;
  }
  if (!currentSession()) {
    location.replace(serverURL('/?next=account'));
    return;
  }
  try {
    showAccount(await authorizedRequest('/auth/v1/user'));
  } catch (error) {
    showView('load-error').querySelector('[role=alert]').textContent = error.message;
  }
}

function showAccount(user) {
  document.getElementById('bar').hidden = false;
  const view = showView('account');
  showProfile(user);
  showDevices();
  setUpPairing();
  showTokens();
  showWebhooks();
  showExports();
  showActivity();
  if (user.app_metadata?.admin === true) showUsers(user);
  setUpDeletion();
  // The browser could not scroll to the section in the URL before the sections were visible.
  if (/^#[a-z]+$/.test(location.hash)) view.querySelector(location.hash)?.scrollIntoView();
}

start();
