// What happened to the account, in words.
import { listing } from '/listing.js';
import { make, moment } from '/make.js';
import { signed } from '/session.js';
import { deviceName } from './agents.js';
import { onChange } from './changes.js';

const section = document.getElementById('activity'), showAll = document.getElementById('all-activity');
const FEW = 10;

const LINKS = { recovery: 'A link to choose a new password was made', invite: 'An invitation was made' };
const WORDS = {
  user_created: () => 'Account made',
  user_invited: () => 'Invited',
  signed_in: () => 'Signed in',
  session_ended: () => 'A device was signed out',
  password_changed: () => 'Password changed',
  email_changed: () => 'Email changed',
  token_created: ({ name }) => `API token “${name}” made`,
  token_revoked: ({ name }) => `API token “${name}” revoked`,
  link_made: ({ kind }) => LINKS[kind] ?? 'A link to sign in was made',
  user_disabled: () => 'Account disabled',
  user_enabled: () => 'Account enabled again',
  app_metadata_changed: ({ admin }) => admin === true ? 'Made an admin' : 'Rights changed',
  user_metadata_changed: () => 'Details changed',
  user_deleted: () => 'Account deleted',
};

export function showActivity() {
  let isWhole = false;
  const refresh = listing(section, () => signed('/auth/v1/audit'), row, fold);
  onChange(refresh);
  showAll.onclick = () => { isWhole = true; fold([...section.querySelectorAll('li')]); };

  function fold(entries) {
    section.querySelectorAll('li').forEach((item, index) => { item.hidden = !isWhole && index >= FEW; });
    showAll.hidden = isWhole || entries.length <= FEW;
    showAll.textContent = `Show all ${entries.length}`;
  }
}

function row({ at, action, actor, address, user_agent, details }) {
  const what = WORDS[action]?.(details ?? {}) ?? action.replaceAll('_', ' ');
  const words = [what, by(actor), address && `from ${address}`, user_agent && `with ${deviceName(user_agent)}`];
  return make('li', { title: user_agent ?? '' },
    make('p', { dir: 'auto' }, words.filter(Boolean).join(' ')), make('p', { className: 'facts' }, moment(at)));
}

// The user's own doing goes without saying, and a visitor is the user who had not signed in yet.
function by(actor) {
  return ['user', 'visitor'].includes(actor) ? '' : actor.startsWith('admin ') ? 'by an admin' : 'by the person who runs this service';
}
