// The account page at `/account/`: who is here decides what it shows. Everything that is a user's own becomes text nodes,
// never markup.
import { session, signed, signOut } from '/session.js';
import { showActivity } from './activity.js';
import { prepareDeletion } from './deletion.js';
import { showDevices } from './devices.js';
import { showExports } from './exports.js';
import { linkInAddress, openLink } from './link.js';
import { showProfile } from './profile.js';
import { revealPasswords } from './reveal.js';
import { showTokens } from './tokens.js';
import { showUsers } from './users.js';
import { only } from './views.js';

async function start() {
  const link = linkInAddress();
  if (link) return openLink(link);
  if (!session()) return location.replace('/?next=account');
  try {
    showAccount(await signed('/auth/v1/user'));
  } catch ({ message }) {
    only('trouble').querySelector('[role=alert]').textContent = message;
  }
}

function showAccount(user) {
  document.getElementById('bar').hidden = false;
  const page = only('account');
  showProfile(user);
  showDevices();
  showTokens();
  showExports();
  showActivity();
  if (user.app_metadata?.admin === true) showUsers(user);
  prepareDeletion(user);
  // Nothing was there to scroll to while the page loaded.
  if (/^#[a-z]+$/.test(location.hash)) page.querySelector(location.hash)?.scrollIntoView();
}

document.getElementById('logout').onclick = signOut;
document.querySelector('#trouble button').onclick = () => location.reload();
// A link from a mail, opened where this page is open already, changes nothing but what stands behind the #.
addEventListener('hashchange', () => /[#&](token_hash|error)=/.test(location.hash) && location.reload());
revealPasswords();
start();
