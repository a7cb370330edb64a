// The section of personal API tokens.

import { authorizedRequest } from '../shared/api/session.js';
import { onSubmit } from '../shared/forms/form.js';
import { t, textParts } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';
import { createElement, createFactsLine, createTime } from '../shared/ui/elements.js';
import { setUpListSection } from '../shared/ui/list-section.js';
import { showToast } from '../shared/ui/toast.js';
import { notifyAccountChange, onAccountChange } from './account-changes.js';
import { passwordRequest } from './password-request.js';
import { showSecret } from './secret-box.js';

const SCOPES = {
  read: t('sees everything, changes nothing'),
  save: t('only adds links'),
  full: t('everything but account settings'),
  feed: t('feeds, catalogs and books'),
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
  const created = createElement('span', {}, ...textParts('created {time}', { time: createTime(created_at) }));
  const button = createElement('button', {
    textContent: t('Revoke'),
    ariaLabel: t('Revoke {name}', { name }),
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
  if (!iso) return t('never expires');
  const isExpired = new Date(iso) <= Date.now();
  const time = createTime(iso);
  return createElement('span', { className: isExpired ? 'error' : '' },
    ...isExpired ? textParts('expired {time}', { time }) : textParts('expires {time}', { time }));
}

function describeLastUse(iso, address) {
  if (!iso) return t('never used');
  const time = createTime(iso);
  return createElement('span', {}, ...address
    ? textParts('last used {time} from {address}', { time, address })
    : textParts('last used {time}', { time }));
}

async function revoke(id, name) {
  const details = t('Programs that use it lose access immediately. This cannot be undone.');
  if (!await confirmAction(t('Revoke “{name}”?', { name }), details, t('Revoke'))) return;
  await authorizedRequest(`/auth/v1/tokens/${id}`, { method: 'DELETE' }).catch((error) => {
    // A token that does not exist any longer needs no error message.
    if (error.status !== 404) throw error;
  });
  showToast(t('“{name}” is revoked.', { name }));
  notifyAccountChange();
}
