// The popup: saves the page of the tab at once, then lets the user change what was saved.

import { ask } from '../shared/ask.js';
import { isNew, savedText } from '../shared/texts.js';
import { translateThisPage } from '../shared/translated-page.js';
import { t } from '../shared/words.js';

const element = (id) => document.getElementById(id);

/** @type {{url: string, title: string, id: number}} */
let tab;
/** Shared with the form: what was saved. */
const saved = { key: '', linkId: undefined, page: { url: '', title: '' } };

async function start() {
  const [{ id, url = '', title = '' }] = await chrome.tabs.query({ active: true, currentWindow: true });
  tab = { id, url, title };
  // The save comes first: what the popup offers afterwards is loaded while the server answers.
  const saving = save();
  const translation = translateThisPage();
  element('options').onclick = element('to-options').onclick = () => chrome.runtime.openOptionsPage();
  element('undo').onclick = undo;
  element('again').onclick = () => save().then(showTools);
  element('title').textContent = title || url;
  await Promise.all([saving, translation]);
  await showTools();
}

/** @param {string} [policy] instead of the one for this site */
async function save(policy) {
  element('state').textContent = t('Saving…');
  for (const id of ['error', 'again', 'undo', 'to-options']) element(id).hidden = true;
  try {
    const { key, link, waiting, waitingKind } = await ask('save-tab', { tab, policy });
    Object.assign(saved, { key, linkId: link?.id, page: { url: tab.url, title: tab.title } });
    // Milliseconds since the popup was opened, for tests.
    document.documentElement.dataset.saved = String(Math.round(performance.now()));
    element('state').textContent = savedText(link, new Date());
    element('undo').hidden = Boolean(link) && !isNew(link);
    if (waiting) showError({ message: waiting, kind: waitingKind });
  } catch (error) {
    saved.key = '';
    element('state').textContent = t('Not saved.');
    element('again').hidden = ['signed-out', 'unsavable'].includes(error.kind);
    showError(error);
  }
}

// Shows what can be changed about the page that was saved.
async function showTools() {
  if (!saved.key) return;
  const [{ setUpForm }, { setUpPage, watchOutcome }] = await Promise.all([
    import('./edit-form.js'), import('./page-section.js')]);
  if (!element('policy').options.length) {
    setUpForm(saved, showError);
    const keepCopy = async () => {
      ask('keep-copy', { key: saved.key, linkId: saved.linkId, tab });
      await watchOutcome(saved);
    };
    await setUpPage(tab.url, (policy) => save(policy).then(showTools), keepCopy);
  }
  element('edit').hidden = false;
  element('page').hidden = !/^https?:/.test(tab.url);
  element('edit').dispatchEvent(new Event('saved'));
  await watchOutcome(saved);
}

function showError({ message, kind }) {
  element('error').textContent = message;
  element('error').hidden = false;
  element('to-options').hidden = kind !== 'signed-out';
}

async function undo() {
  try {
    await ask('undo', { key: saved.key, linkId: saved.linkId });
    saved.key = '';
    element('state').textContent = t('Not saved any more.');
    element('outcome').textContent = element('copy-outcome').textContent = '';
    for (const id of ['undo', 'edit', 'page']) element(id).hidden = true;
    element('again').hidden = false;
    element('again').focus();
  } catch (error) {
    showError(error);
  }
}

start().catch(showError);
