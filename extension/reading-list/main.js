// The reading list: the web app itself, from the files of the extension. This page takes the place of its start page,
// and the modules of the app talk to the server of the account. The service worker of the extension has the session.

import { ask } from '../shared/ask.js';
import { adaptPage } from './adapted-page.js';

const OPTIONS = chrome.runtime.getURL('options/index.html');

/** As in `shared/links/link-requests.js` of the web app. */
const KEY_STORAGE = 'public-key';

async function start() {
  const account = await ask('session').catch((error) => {
    if (error.kind === 'signed-out') return null;
    throw error;
  });
  if (!account) {
    localStorage.clear();
    location.replace(OPTIONS);
    return;
  }
  await showPage(account.server);
  localStorage.setItem('session', JSON.stringify(account.session));
  localStorage.setItem(KEY_STORAGE, account.anonKey);
  const [{ connectTo }, { setSessionProvider }] = await Promise.all([
    import('../web/shared/api/server.js'), import('../web/shared/api/session.js'),
  ]);
  connectTo(account.server);
  setSessionProvider({ renew, end: () => ask('sign-out'), home: OPTIONS });
  chrome.storage.local.onChanged.addListener((changes) => changes.account && reloadIfOther(account));
  await import('../web/list/first-view.js');
}

async function showPage(server) {
  const html = await (await fetch('../web/index.html')).text();
  const { documentElement } = adaptPage(new DOMParser().parseFromString(html, 'text/html'), server);
  document.documentElement.replaceWith(document.adoptNode(documentElement));
  // A parsed script does not run. This one applies theme and language.
  const script = document.createElement('script');
  script.src = '../web/shared/ui/first-paint.js';
  await new Promise((resolve) => {
    script.onload = script.onerror = resolve;
    document.head.append(script);
  });
}

async function renew() {
  try {
    return (await ask('session')).session;
  } catch (error) {
    // As the server answers, so that the app ends the session or tries again later.
    throw Object.assign(error, error.kind === 'signed-out' && { status: 401 });
  }
}

async function reloadIfOther({ server, session }) {
  const { account } = await chrome.storage.local.get('account');
  if (account?.server !== server || account.user !== session.user) location.reload();
}

start().catch(({ message }) => {
  document.getElementById('problem').textContent = message;
});
