// The server, and signing in at it.

import { ask } from '../shared/ask.js';
import { parseServers } from '../shared/server-address.js';
import { t } from '../shared/words.js';

const element = (id) => document.getElementById(id);

/** The address of the server that was found. */
let server = '';

/** @param {() => void} onChange called when an account was signed in or out */
export async function setUpServer(onChange) {
  onSubmit('connect', async ({ address }) => {
    // The browser shows its question only right after a click. It may be refused: most servers can be reached without.
    const origin = parseServers(address).at(-1);
    const asked = chrome.permissions.request({ origins: [`${origin.replace(/:\d+$/, '')}/*`] }).catch(() => false);
    element('server-state').textContent = t('Looking for the server…');
    server = await ask('find-server', { address }).catch(async (error) => {
      if (!await asked) throw error;
      return ask('find-server', { address });
    });
    element('found').textContent = t('There is a Lectern server at {server}.', { server });
    show('sign-in', 'pair');
    element('email').focus();
  });
  const signIn = (name) => async (values) => {
    await ask(name, { ...values, address: server });
    element('password').value = '';
    element('code').value = '';
    await showAccount();
    onChange();
  };
  onSubmit('sign-in', signIn('sign-in'));
  onSubmit('pair', signIn('pair'));
  element('sign-out').onclick = () => attempt(async () => {
    const said = await ask('sign-out');
    await showAccount();
    element('server-state').textContent = said;
    onChange();
  });
  element('test').onclick = () => attempt(async () => {
    element('server-state').textContent = t('Testing…');
    element('server-state').textContent = await ask('test');
  });
  await showAccount();
}

async function showAccount() {
  const account = await ask('account');
  server = account?.server ?? '';
  if (account) element('account').textContent = t('Signed in at {server} as {email}.', account);
  element('ended').hidden = !account?.hasEnded;
  element('found').textContent = '';
  if (account?.hasEnded) {
    element('email').value = account.email;
    show('signed-in', 'sign-in', 'pair');
  } else {
    show(account ? 'signed-in' : 'connect');
  }
}

function show(...ids) {
  for (const id of ['signed-in', 'connect', 'sign-in', 'pair']) element(id).hidden = !ids.includes(id);
}

function onSubmit(id, work) {
  element(id).onsubmit = async (event) => {
    event.preventDefault();
    const button = element(id).querySelector('button');
    button.disabled = true;
    await attempt(() => work(Object.fromEntries(new FormData(element(id)))));
    button.disabled = false;
  };
}

async function attempt(work) {
  element('server-error').textContent = '';
  element('server-state').textContent = '';
  try {
    await work();
  } catch (error) {
    element('server-state').textContent = '';
    element('server-error').textContent = error.message;
  }
}
