// For admins: who has an account here.
import { doing } from '/doing.js';
import { onSubmit } from '/forms.js';
import { listing } from '/listing.js';
import { line, make, moment } from '/make.js';
import { signed } from '/session.js';
import { isSure } from '/sure.js';
import { tell } from '/toast.js';
import { showOnce } from './copying.js';

const section = document.getElementById('users'), more = document.getElementById('more-users');
const PAGE = 50;
// Longer than anybody waits: a century.
const FOREVER = '876000h';
let pages = 1, own, refresh;

export function showUsers(user) {
  own = user.id;
  for (const part of document.querySelectorAll('.for-admins')) part.hidden = false;
  refresh = listing(section, load, row, (users) => { more.hidden = users.length < pages * PAGE; });
  more.onclick = doing(() => { pages += 1; return refresh(); });
  onSubmit(document.getElementById('invite'), invite);
}

const admin = (path, method, body) => signed(`/auth/v1/${path}`, { method, body });

// The service lists the oldest first. Who was invited a moment ago is to be seen, wherever they come in that list.
let invited = [];
async function load() {
  const answers = await Promise.all(Array.from({ length: pages }, (_, page) => signed(`/auth/v1/admin/users?page=${page + 1}&per_page=${PAGE}`)));
  const users = answers.flatMap((answer) => answer.users);
  return [...invited.filter(({ id }) => !users.some((user) => user.id === id)), ...users];
}

async function invite({ email }) {
  const user = await admin('invite', 'POST', { email: email.trim() });
  invited = [user, ...invited.filter(({ id }) => id !== user.id)];
  tell(`${user.email} is invited. A mail with a link is on its way.`);
  await refresh();
}

function row(user) {
  const { id, email, created_at, last_sign_in_at } = user, state = stateOf(user);
  const seen = last_sign_in_at ? make('span', {}, 'last signed in ', moment(last_sign_in_at)) : 'never signed in';
  const head = make('p', { className: 'head', dir: 'auto' }, email, ' ', make('span', { className: 'badge', textContent: state }));
  const facts = line(make('span', {}, 'since ', moment(created_at)), seen);
  return make('li', {}, make('div', {}, head, facts), id === own ? null : make('div', { className: 'buttons' }, ...buttons(user, state)));
}

function stateOf({ id, banned_until, email_confirmed_at, app_metadata }) {
  if (id === own) return 'you';
  if (banned_until && new Date(banned_until) > Date.now()) return 'disabled';
  if (!email_confirmed_at) return 'invited';
  return app_metadata?.admin === true ? 'admin' : 'active';
}

function buttons(user, state) {
  const button = (words, work) => make('button', { textContent: words, ariaLabel: `${words}: ${user.email}`, onclick: doing(() => work(user)) });
  const able = state === 'disabled' ? button('Enable', enable) : button('Disable', disable);
  return [state !== 'disabled' && button('Make link', makeLink), able, button('Delete', remove)].filter(Boolean);
}

// For who got no mail: a link that the admin hands over.
async function makeLink(user) {
  const type = user.email_confirmed_at ? 'recovery' : 'invite';
  const { action_link } = await admin('admin/generate_link', 'POST', { type, email: user.email });
  const box = document.getElementById('new-link');
  box.querySelector('h3').textContent = `A link for ${user.email}`;
  box.querySelector('p').textContent = 'It opens the account and lets a password be chosen, once. Links sent before do not work any more. Hand it to nobody else.';
  showOnce(box, action_link, document.getElementById('link-kept'));
}

async function disable({ id, email }) {
  const words = 'They are signed out everywhere and cannot sign in. What they have saved is kept, and you can enable them again.';
  if (!await isSure(`Disable ${email}?`, words, 'Disable')) return;
  await change(id, { ban_duration: FOREVER });
  tell(`${email} is disabled.`);
}

async function enable({ id, email }) {
  await change(id, { ban_duration: 'none' });
  tell(`${email} can sign in again.`);
}

async function change(id, body) {
  const user = await admin(`admin/users/${id}`, 'PUT', body);
  invited = invited.map((one) => one.id === id ? user : one);
  await refresh();
}

async function remove({ id, email }) {
  const words = 'The account and everything they have saved are deleted at once. This cannot be undone.';
  if (!await isSure(`Delete ${email}?`, words, 'Delete for good')) return;
  await admin(`admin/users/${id}`, 'DELETE');
  invited = invited.filter((one) => one.id !== id);
  tell(`${email} is deleted.`);
  await refresh();
}
