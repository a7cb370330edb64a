// Personal API tokens: made, shown once, revoked.
import { doing } from '/doing.js';
import { onSubmit } from '/forms.js';
import { listing } from '/listing.js';
import { line, make, moment } from '/make.js';
import { signed } from '/session.js';
import { isSure } from '/sure.js';
import { tell } from '/toast.js';
import { changed, onChange } from './changes.js';
import { showOnce } from './copying.js';

const section = document.getElementById('tokens'), form = document.getElementById('make-token');
const SCOPES = { read: 'sees everything, changes nothing', save: 'only adds links', full: 'everything but account settings' };
const DAY = 86_400;

export function showTokens() {
  onChange(listing(section, () => signed('/auth/v1/tokens'), row));
  onSubmit(form, makeToken);
}

async function makeToken({ name, scope, expires }) {
  const body = { name: name.trim(), scope, ...expires && { expires_in: expires * DAY } };
  const { token } = await signed('/auth/v1/tokens', { method: 'POST', body }).catch(aboutTheName);
  form.closest('details').open = false;
  showOnce(document.getElementById('new-token'), token, document.getElementById('token-kept'));
  changed();
}

// Of what is chosen here, only the name can be wrong.
function aboutTheName(error) {
  throw error.code === 'validation_failed' ? Object.assign(error, { field: 'name' }) : error;
}

function row({ id, name, scope, prefix, created_at, expires_at, last_used_at, last_used_address }) {
  const used = last_used_at ? make('span', {}, 'last used ', moment(last_used_at), last_used_address && ` from ${last_used_address}`) : 'never used';
  const button = make('button', { textContent: 'Revoke', ariaLabel: `Revoke ${name}`, onclick: doing(() => revoke(id, name)) });
  return make('li', {}, make('div', {},
    make('p', { className: 'head', dir: 'auto' }, name),
    line(make('code', { textContent: `${prefix}…` }), SCOPES[scope] ?? scope),
    line(make('span', {}, 'made ', moment(created_at)), expiry(expires_at), used)), button);
}

function expiry(iso) {
  if (!iso) return 'never expires';
  const isOver = new Date(iso) <= Date.now();
  return make('span', { className: isOver ? 'wrong' : '' }, isOver ? 'expired ' : 'expires ', moment(iso));
}

async function revoke(id, name) {
  if (!await isSure(`Revoke “${name}”?`, 'Programs that use it are locked out at once. This cannot be undone.', 'Revoke')) return;
  await signed(`/auth/v1/tokens/${id}`, { method: 'DELETE' }).catch((error) => { if (error.status !== 404) throw error; });
  tell(`“${name}” is revoked.`);
  changed();
}
