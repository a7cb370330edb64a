// The popup: saves the page of the tab at once, then lets the user change what was saved.

import { ask } from '../shared/ask.js';
import { isNew, savedText } from '../shared/texts.js';
import { setUpForm } from './edit-form.js';
import { setUpPage, watchOutcome } from './page-section.js';

const element = (id) => document.getElementById(id);

/** @type {{url: string, title: string, id: number}} */
let tab;
/** Shared with the form: what was saved. */
const saved = { key: '', linkId: undefined, page: { url: '', title: '' } };

async function start() {
  element('options').onclick = element('to-options').onclick = () => chrome.runtime.openOptionsPage();
  element('undo').onclick = undo;
  element('again').onclick = () => save();
  const [{ id, url = '', title = '' }] = await chrome.tabs.query({ active: true, currentWindow: true });
  tab = { id, url, title };
  element('title').textContent = title || url;
  setUpPage(url, (policy) => save(policy));
  setUpForm(saved, showError);
  await save();
  const account = await ask('account');
  if (account) element('list').href = `${account.server}/`;
  else element('list').hidden = true;
}

/** @param {string} [policy] instead of the one for this site */
async function save(policy) {
  element('state').textContent = 'Saving…';
  for (const id of ['error', 'again', 'undo', 'to-options']) element(id).hidden = true;
  try {
    const { key, link, waiting, waitingKind } = await ask('save-tab', { tab, policy });
    Object.assign(saved, { key, linkId: link?.id, page: { url: tab.url, title: tab.title } });
    document.documentElement.dataset.saved = String(Math.round(performance.now()));
    element('state').textContent = savedText(link, new Date());
    element('undo').hidden = Boolean(link) && !isNew(link);
    if (waiting) showError({ message: waiting, kind: waitingKind });
    element('edit').hidden = false;
    element('page').hidden = !/^https?:/.test(tab.url);
    element('edit').dispatchEvent(new Event('saved'));
    watchOutcome(saved);
  } catch (error) {
    element('state').textContent = 'Not saved.';
    element('again').hidden = error.kind === 'signed-out';
    showError(error);
  }
}

function showError({ message, kind }) {
  element('error').textContent = message;
  element('error').hidden = false;
  element('to-options').hidden = kind !== 'signed-out';
}

async function undo() {
  try {
    await ask('undo', { key: saved.key, linkId: saved.linkId });
    element('state').textContent = 'Not saved any more.';
    element('outcome').textContent = '';
    for (const id of ['undo', 'edit', 'page']) element(id).hidden = true;
    element('again').hidden = false;
    element('again').focus();
  } catch (error) {
    showError(error);
  }
}

start().catch(showError);
