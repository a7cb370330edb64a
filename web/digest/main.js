// The page at `/digest/`: makes a newsletter of what was archived in a time, and copies it.

import { sendAndSignOut } from '../offline/sign-out.js';
import { serverURL } from '../shared/api/server.js';
import { currentSession, reloadWhenUserChanges, restRequest } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';
import { showToast } from '../shared/ui/toast.js';
import { copyParts } from './clipboard.js';
import { dayAfter, daysOf } from './periods.js';
import { previewNodes } from './preview.js';

/** How long the page waits for further changes of a field, in milliseconds. */
const PAUSE_MS = 300;

const element = (id) => document.getElementById(id);
const form = element('digest');
const { period, first, last, format, query } = form.elements;
const preview = element('preview');
const problem = form.querySelector('[role=alert]');

/** What the button copies: media type → text. */
let parts = {};
/** Number of the latest request; responses to earlier ones are ignored. */
let latest = 0;
let timer;

function start() {
  element('logout').onclick = sendAndSignOut;
  reloadWhenUserChanges();
  if (!currentSession()) {
    location.replace(serverURL('/?next=digest'));
    return;
  }
  for (const id of ['bar', 'page']) element(id).hidden = false;
  // Browsers keep the values of fields when a page is reloaded.
  if (period.value !== 'other') setDays();
  form.onsubmit = (event) => event.preventDefault();
  form.oninput = ({ target }) => {
    if (target === period && period.value !== 'other') setDays();
    if (target === first || target === last) period.value = 'other';
    clearTimeout(timer);
    timer = setTimeout(show, PAUSE_MS);
  };
  document.querySelector('.copy').onclick = copy;
  show();
}

function setDays() {
  const days = daysOf(period.value, new Date());
  first.value = days.first;
  last.value = days.last;
}

async function show() {
  latest += 1;
  const number = latest;
  preview.ariaBusy = 'true';
  try {
    const made = await makeDigest();
    if (number !== latest) return;
    parts = made;
    problem.textContent = '';
    const html = made['text/html'];
    if (html) preview.replaceChildren(...previewNodes(html));
    else preview.replaceChildren(Object.assign(document.createElement('pre'), { textContent: made['text/plain'] }));
  } catch (error) {
    if (number !== latest) return;
    parts = {};
    preview.replaceChildren();
    problem.textContent = error.message;
  }
  preview.ariaBusy = 'false';
  document.querySelector('.copy').disabled = !parts['text/plain'];
}

/** The digest in the chosen format. Formatted text has a plain form beside it, for programs that take no other. */
async function makeDigest() {
  if (!first.value || !last.value) throw Error(t('Choose the first and the last day.'));
  if (first.value > last.value) throw Error(t('The last day is before the first.'));
  const body = { from: first.value, to: dayAfter(last.value), query: query.value };
  const make = (name) => restRequest('rpc/digest', { method: 'POST', body: { ...body, format: name } });
  if (format.value !== 'html') return { 'text/plain': await make(format.value) };
  const [html, text] = await Promise.all([make('html'), make('text')]);
  return { 'text/html': html, 'text/plain': text };
}

function copy() {
  getSelection().selectAllChildren(preview);
  showToast(copyParts(parts) ? t('Copied.') : t('Copy the selected text with your browser.'));
}

start();
