// What waits to be sent, and the log.

import { ask } from '../shared/ask.js';
import { locale, t } from '../shared/words.js';

const element = (id) => document.getElementById(id);

/** Sets up the sections "Waiting" and "Log". */
export async function setUpQueue() {
  element('send').onclick = async () => {
    element('queue-state').textContent = t('Sending…');
    await ask('send-queue');
    await showQueue();
  };
  element('clear-log').onclick = async () => {
    await ask('clear-log');
    await showLog();
  };
  chrome.storage.local.onChanged.addListener((changes) => {
    if (!changes.log) return;
    showLog();
    showQueue();
  });
  await Promise.all([showQueue(), showLog()]);
}

/** Shows what waits. */
export async function showQueue() {
  const entries = await ask('queue');
  element('queue-state').textContent = entries.length
    ? t('{n} page is waiting.|{n} pages are waiting.', { n: entries.length }) : t('Nothing is waiting.');
  element('send').hidden = !entries.length;
  element('queue').replaceChildren(...entries.map(itemOf));
}

function itemOf({ key, url, title, failure, isOthers }) {
  const item = document.createElement('li');
  const why = failure
    ?? (isOthers ? t('This was saved with another account. It is sent when that account signs in again.') : '');
  item.append(title || url);
  if (why) item.append(Object.assign(document.createElement('p'), { className: 'error', textContent: why }));
  const row = document.createElement('div');
  row.className = 'row';
  if (failure) row.append(button(t('Try again'), title || url, () => ask('retry-entry', { key })));
  row.append(button(t('Discard'), title || url, () => ask('drop-entry', { key })));
  item.append(row);
  return item;
}

function button(text, what, work) {
  const made = Object.assign(document.createElement('button'), { type: 'button', textContent: text });
  made.setAttribute('aria-label', `${text}: ${what}`);
  made.onclick = async () => {
    await work();
    await showQueue();
  };
  return made;
}

async function showLog() {
  const lines = await ask('log');
  element('log').replaceChildren(...lines.map(({ at, text }) => {
    const item = document.createElement('li');
    item.textContent = `${new Date(at).toLocaleString(locale)} ${text}`;
    return item;
  }));
}
