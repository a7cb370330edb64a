// Where the user is signed in.
import { doing } from '/doing.js';
import { listing } from '/listing.js';
import { line, make, moment } from '/make.js';
import { signed } from '/session.js';
import { isSure } from '/sure.js';
import { tell } from '/toast.js';
import { deviceName } from './agents.js';
import { changed, onChange } from './changes.js';

const section = document.getElementById('devices'), endOthers = document.getElementById('end-others');

export function showDevices() {
  const load = async () => (await signed('/auth/v1/sessions')).sort((one, other) => other.current - one.current);
  onChange(listing(section, load, row, (sessions) => { endOthers.hidden = sessions.length < 2; }));
  endOthers.onclick = doing(endAllOthers);
}

function row({ id, user_agent, address, last_seen_at, current }) {
  const name = deviceName(user_agent);
  const seen = current ? 'here and now' : make('span', {}, 'last seen ', moment(last_seen_at));
  const head = make('p', { className: 'head', dir: 'auto' }, name, ' ', current && make('span', { className: 'badge', textContent: 'this device' }));
  const button = make('button', { textContent: 'Sign out', ariaLabel: `Sign out ${name}`, onclick: doing(() => end(id, name)) });
  return make('li', { title: user_agent ?? '' }, make('div', {}, head, line(address, seen)), !current && button);
}

async function end(id, name) {
  // Gone already is as good as ended.
  await signed(`/auth/v1/sessions/${id}`, { method: 'DELETE' }).catch((error) => { if (error.status !== 404) throw error; });
  tell(`${name} is signed out.`);
  changed();
}

async function endAllOthers() {
  const words = 'Every device but this one has to sign in again. Programs that use API tokens go on.';
  if (!await isSure('Sign out all other devices?', words, 'Sign out')) return;
  await signed('/auth/v1/logout?scope=others', { method: 'POST' });
  tell('All other devices are signed out.');
  changed();
}
