// The section for admins: the accounts of all users.

import { authorizedRequest } from '../shared/api/session.js';
import { onSubmit } from '../shared/forms/form.js';
import { t, textParts } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';
import { createElement, createFactsLine, createTime } from '../shared/ui/elements.js';
import { setUpListSection } from '../shared/ui/list-section.js';
import { showToast } from '../shared/ui/toast.js';
import { showSecret } from './secret-box.js';

const PAGE_SIZE = 50;

/** The API has no unlimited ban; this is a century. */
const BAN_DURATION = '876000h';

const STATES = {
  you: t('you'), disabled: t('disabled'), invited: t('invited'), admin: t('admin'), active: t('active'),
};

let loadedPages = 1;
let ownId;
let refresh;

/**
 * Users who were invited on this page. The API lists the oldest first, so they may be on a page that is not
 * loaded.
 * @type {object[]}
 */
let invited = [];

/**
 * Shows the section.
 * @param {{id: string}} user the signed-in admin
 */
export function showUsers(user) {
  const moreButton = document.getElementById('more-users');
  ownId = user.id;
  for (const element of document.querySelectorAll('.for-admins')) element.hidden = false;
  refresh = setUpListSection(document.getElementById('users'), load, createRow, (users) => {
    moreButton.hidden = users.length < loadedPages * PAGE_SIZE;
  });
  moreButton.onclick = busyWhile(() => {
    loadedPages += 1;
    return refresh();
  });
  onSubmit(document.getElementById('invite'), invite);
}

async function load() {
  const pageNumbers = Array.from({ length: loadedPages }, (_, index) => index + 1);
  const pages = await Promise.all(pageNumbers.map((page) =>
    authorizedRequest(`/auth/v1/admin/users?page=${page}&per_page=${PAGE_SIZE}`)));
  const users = pages.flatMap((page) => page.users);
  const ids = new Set(users.map(({ id }) => id));
  return [...invited.filter(({ id }) => !ids.has(id)), ...users];
}

function createRow(user) {
  const { id, email, created_at, last_sign_in_at } = user;
  const state = accountState(user);
  const badge = createElement('span', { className: 'badge', textContent: STATES[state] });
  const created = createElement('span', {}, ...textParts('created {time}', { time: createTime(created_at) }));
  const seen = last_sign_in_at
    ? createElement('span', {}, ...textParts('last signed in {time}', { time: createTime(last_sign_in_at) }))
    : t('never signed in');
  return createElement('li', {},
    createElement('div', {},
      createElement('p', { className: 'head', dir: 'auto' }, email, ' ', badge),
      createFactsLine(created, seen)),
    id !== ownId && createElement('div', { className: 'buttons' }, ...createButtons(user, state)));
}

function accountState({ id, banned_until, email_confirmed_at, app_metadata }) {
  if (id === ownId) return 'you';
  if (banned_until && new Date(banned_until) > Date.now()) return 'disabled';
  if (!email_confirmed_at) return 'invited';
  return app_metadata?.admin === true ? 'admin' : 'active';
}

function createButtons(user, state) {
  const button = (label, action) => createElement('button', {
    textContent: label,
    ariaLabel: `${label}: ${user.email}`,
    onclick: busyWhile(() => action(user)),
  });
  const remove = button(t('Delete'), deleteUser);
  if (state === 'disabled') return [button(t('Enable'), enable), remove];
  return [button(t('Create link'), createLink), button(t('Disable'), disable), remove];
}

function adminRequest(path, method, body) {
  return authorizedRequest(`/auth/v1/${path}`, { method, body });
}

async function invite(values) {
  const user = await adminRequest('invite', 'POST', { email: values.email.trim() });
  invited = [user, ...invited.filter(({ id }) => id !== user.id)];
  showToast(t('{email} was invited. An email with a link is on its way.', { email: user.email }));
  await refresh();
}

// For users who did not get the email: a link that the admin gives them.
async function createLink(user) {
  const type = user.email_confirmed_at ? 'recovery' : 'invite';
  const { action_link } = await adminRequest('admin/generate_link', 'POST', { type, email: user.email });
  const box = document.getElementById('new-link');
  box.querySelector('h3').textContent = t('A link for {email}', { email: user.email });
  box.querySelector('p').textContent = t('Anyone who opens it can choose a password for the account, once. Earlier '
    + 'links no longer work. Give it to this user only.');
  showSecret(box, action_link, document.getElementById('link-kept'));
}

async function disable({ id, email }) {
  const details = t('They will be signed out everywhere and cannot sign in. '
    + 'Everything they saved is kept, and you can enable the account again.');
  if (!await confirmAction(t('Disable {email}?', { email }), details, t('Disable'))) return;
  await updateUser(id, { ban_duration: BAN_DURATION });
  showToast(t('{email} is disabled.', { email }));
}

async function enable({ id, email }) {
  await updateUser(id, { ban_duration: 'none' });
  showToast(t('{email} can sign in again.', { email }));
}

async function updateUser(id, changes) {
  const user = await adminRequest(`admin/users/${id}`, 'PUT', changes);
  invited = invited.map((each) => (each.id === id ? user : each));
  await refresh();
}

async function deleteUser({ id, email }) {
  const details = t('The account and everything they saved will be deleted immediately. This cannot be undone.');
  if (!await confirmAction(t('Delete {email}?', { email }), details, t('Delete permanently'))) return;
  await adminRequest(`admin/users/${id}`, 'DELETE');
  invited = invited.filter((each) => each.id !== id);
  showToast(t('{email} is deleted.', { email }));
  await refresh();
}
