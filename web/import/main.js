// The page at `/import/`: takes the export of another service, says what it holds, and imports it once the user agrees.
// Names come from files; they become text nodes, never markup.

import { sendAndSignOut } from '../offline/sign-out.js';
import { errorText } from '../shared/api/error-texts.js';
import { serverURL } from '../shared/api/server.js';
import { currentSession, reloadWhenUserChanges } from '../shared/api/session.js';
import { uploadFile } from '../shared/api/upload.js';
import { formatNumber } from '../shared/format/numbers.js';
import { awaitImport, changeImport, describeCounts, downloadRejects } from '../shared/imports/imports-api.js';
import { feedsIn, subscribeToAll } from '../shared/imports/subscriptions.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createFactsLine } from '../shared/ui/elements.js';
import { findings } from './findings.js';

/** The largest file, in bytes. */
const MAX_BYTES = 2 ** 30;

const element = (id) => document.getElementById(id);
const [choose, running, found, result, problem] = ['choose', 'running', 'found', 'result', 'problem'].map(element);
const { file: input } = choose.elements;
const bar = element('progress');

/** Ends the upload, and the wait for the server. */
let abort = null;
/** The id of the import that is waited for. */
let current = null;

function start() {
  element('logout').onclick = sendAndSignOut;
  reloadWhenUserChanges();
  if (!currentSession()) {
    location.replace(serverURL('/?next=import'));
    return;
  }
  for (const id of ['bar', 'page']) element(id).hidden = false;
  choose.onsubmit = (event) => event.preventDefault();
  input.onchange = () => take(input.files[0]);
  running.querySelector('.cancel').onclick = cancel;
  found.querySelector('.cancel').onclick = cancel;
  result.querySelector('.again').onclick = () => show(choose);
  takeDrops();
}

// A file may be dropped anywhere on the page, and never replaces it.
function takeDrops() {
  const mark = (isOver) => document.body.classList.toggle('dropping', isOver && !choose.hidden);
  document.ondragover = (event) => {
    event.preventDefault();
    mark(true);
  };
  document.ondragleave = ({ relatedTarget }) => mark(!!relatedTarget);
  document.ondrop = (event) => {
    event.preventDefault();
    mark(false);
    const [file] = event.dataTransfer.files;
    if (file && !choose.hidden) take(file);
  };
}

function show(part) {
  for (const one of [choose, running, found, result]) one.hidden = one !== part;
  problem.textContent = '';
  if (part === choose) choose.reset();
}

function tell(text, fraction) {
  running.querySelector('label').textContent = text;
  if (fraction === undefined) bar.removeAttribute('value');
  else bar.value = fraction;
}

async function take(file) {
  if (!file) return;
  const { signal } = (abort = new AbortController());
  const { name } = file;
  try {
    if (file.size > MAX_BYTES) throw Error(t('The file is larger than 1 GB, which is the limit.'));
    show(running);
    const onProgress = (fraction) => tell(t('Sending {name}…', { name }), fraction);
    onProgress(0);
    const id = await uploadFile(file, { signal, onProgress, query: 'hold=true' });
    current = id;
    tell(t('Reading {name}…', { name }));
    const row = await awaitImport(id, ({ entries }) => tell(
      t('Reading {name}: {n} entry|Reading {name}: {n} entries', { name, n: entries })));
    if (signal.aborted) return;
    if (row.state === 'held') ask(row, row.format === 'opml' ? await feedsIn(file) : null);
    else finish(row);
  } catch (error) {
    if (!signal.aborted) fail(error);
  }
}

/** @param {string | null} opml the file if it has feeds, which can be subscribed to or saved as links */
function ask(row, opml) {
  show(found);
  const heading = found.querySelector('h2');
  heading.textContent = row.name;
  found.querySelector('dl').replaceChildren(...findings(row));
  const [begin, subscribe] = ['.begin', '.subscribe'].map((name) => found.querySelector(name));
  subscribe.hidden = found.querySelector('.subscriptions').hidden = !opml;
  subscribe.onclick = busyWhile(() => subscribeInstead(row, opml));
  begin.textContent = opml ? t('Save as links') : t('Import');
  begin.classList.toggle('strong', !opml);
  begin.hidden = row.format !== 'document' && row.entries === row.summary.refused;
  begin.onclick = busyWhile(() => run(row));
  heading.focus();
}

async function run({ id, name, entries }) {
  const { signal } = abort;
  try {
    await changeImport('start_import', id);
    show(running);
    tell(t('Importing {name}…', { name }), 0);
    const row = await awaitImport(id, ({ rows }) => tell(
      t('Importing {name}: {rows} of {n}', { name, rows: formatNumber(rows), n: formatNumber(entries) }),
      entries ? rows / entries : undefined));
    if (!signal.aborted) finish(row);
  } catch (error) {
    if (!signal.aborted) fail(error);
  }
}

async function subscribeInstead({ id, name }, opml) {
  try {
    const sentences = await subscribeToAll(opml);
    await changeImport('cancel_import', id);
    current = null;
    showResult(name, sentences);
    result.querySelector('.feeds').hidden = false;
  } catch (error) {
    fail(error);
  }
}

function finish(row) {
  current = null;
  if (row.state === 'cancelled') {
    show(choose);
    return;
  }
  if (row.state === 'failed') {
    fail(Error(errorText(row.reason)));
    return;
  }
  showResult(row.name, describeCounts(row));
  result.querySelector('.next').hidden = !row.imported;
  const rejects = result.querySelector('.rejects');
  rejects.hidden = !row.rejected;
  rejects.onclick = busyWhile(() => downloadRejects(row));
}

function showResult(name, facts) {
  show(result);
  for (const part of result.querySelectorAll('.next, .feeds, .rejects')) part.hidden = true;
  const heading = result.querySelector('h2');
  heading.textContent = t('{name} is imported', { name });
  const counts = createFactsLine(...facts);
  counts.classList.add('counts');
  result.querySelector('.counts').replaceWith(counts);
  heading.focus();
}

async function cancel() {
  abort?.abort();
  if (current) await changeImport('cancel_import', current).catch(() => {});
  current = null;
  show(choose);
}

function fail(error) {
  current = null;
  show(choose);
  problem.textContent = error.message;
}

start();
