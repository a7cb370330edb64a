// The section of personal API tokens.

import { authorizedRequest } from '../shared/api/session.js';
import { onSubmit } from '../shared/forms/form.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';
import { createElement, createFactsLine, createTime } from '../shared/ui/elements.js';
import { setUpListSection } from '../shared/ui/list-section.js';
import { showToast } from '../shared/ui/toast.js';
import { notifyAccountChange, onAccountChange } from './account-changes.js';
import { passwordRequest } from './password-request.js';
import { showSecret } from './secret-box.js';

const SCOPES = {
  read: 'sees everything, changes nothing',
  save: 'only adds links',
  full: 'everything but account settings',
  feed: 'feeds, catalogs and books',
};

const SECONDS_PER_DAY = 86_400;

/** Shows the section. */
export function showTokens() {
  const form = document.getElementById('make-token');
  const load = () => authorizedRequest('/auth/v1/tokens');
  onAccountChange(setUpListSection(document.getElementById('tokens'), load, createRow));
  onSubmit(form, async ({ name, scope, expires, password }) => {
    const token = await createToken(name.trim(), scope, Number(expires), password);
    form.closest('details').open = false;
    showSecret(document.getElementById('new-token'), token, document.getElementById('token-kept'));
    notifyAccountChange();
  });
}

// `days` is 0 for a token that never expires.
async function createToken(name, scope, days, password) {
  const body = { name, scope, password, ...(days && { expires_in: days * SECONDS_PER_DAY }) };
  try {
    const { token } = await passwordRequest('/auth/v1/tokens', 'POST', body);
    return token;
  } catch (error) {
    // The name is the only field that can be invalid.
    throw error.code === 'validation_failed' ? Object.assign(error, { field: 'name' }) : error;
  }
}

function createRow({ id, name, scope, prefix, created_at, expires_at, last_used_at, last_used_address }) {
  const created = createElement('span', {}, 'created ', createTime(created_at));
  const button = createElement('button', {
    textContent: 'Revoke',
    ariaLabel: `Revoke ${name}`,
    onclick: busyWhile(() => revoke(id, name)),
  });
  return createElement('li', {},
    createElement('div', {},
      createElement('p', { className: 'head', dir: 'auto' }, name),
      createFactsLine(createElement('code', { textContent: `${prefix}…` }), SCOPES[scope] ?? scope),
      createFactsLine(created, describeExpiry(expires_at), describeLastUse(last_used_at, last_used_address))),
    button);
}

function describeExpiry(iso) {
  if (!iso) return 'never expires';
  const isExpired = new Date(iso) <= Date.now();
  const className = isExpired ? 'error' : '';
  return createElement('span', { className }, isExpired ? 'expired ' : 'expires ', createTime(iso));
}

function describeLastUse(iso, address) {
  if (!iso) return 'never used';
  return createElement('span', {}, 'last used ', createTime(iso), address && ` from ${address}`);
}

async function revoke(id, name) {
  const details = 'Programs that use it lose access immediately. This cannot be undone.';
  if (!await confirmAction(`Revoke “${name}”?`, details, 'Revoke')) return;
  await authorizedRequest(`/auth/v1/tokens/${id}`, { method: 'DELETE' }).catch((error) => {
    // A token that does not exist any longer needs no error message.
    if (error.status !== 404) throw error;
  });
  showToast(`“${name}” is revoked.`);
  notifyAccountChange();
}
