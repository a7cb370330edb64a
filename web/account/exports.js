// The section of exports: starting one, its progress, and downloading the file.

import { serverURL } from '../shared/api/server.js';
import { authorizedRequest } from '../shared/api/session.js';
import { formatShortTime } from '../shared/format/dates.js';
import { formatSize } from '../shared/format/numbers.js';
import { onSubmit } from '../shared/forms/form.js';
import { t, textParts } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createElement, createFactsLine, createTime } from '../shared/ui/elements.js';
import { setUpListSection } from '../shared/ui/list-section.js';
import { showError, showToast } from '../shared/ui/toast.js';

const POLL_INTERVAL_MS = 1000;

let refreshList;
let pollTimer;

/** Shows the section. */
export function showExports() {
  refreshList = setUpListSection(document.getElementById('export'), load, createRow);
  const form = document.getElementById('start-export');
  const { format, query } = form.elements;
  const nameButton = () => {
    const isAll = format.value === 'zip' && !query.value.trim();
    form.querySelector('.strong').textContent = isAll ? t('Export everything') : t('Export#verb');
  };
  format.onchange = nameButton;
  query.oninput = nameButton;
  // The event comes before the fields change.
  form.onreset = () => setTimeout(nameButton);
  // The browser may have kept what was chosen.
  nameButton();
  onSubmit(form, () => startExport({ format: format.value, query: query.value.trim() }));
}

/** The name of a format, as the list to choose from says it. */
function formatName(format) {
  const options = [...document.getElementById('start-export').elements.format.options];
  return options.find(({ value }) => value === format)?.textContent ?? format;
}

// The running export is shown apart from the list of finished ones.
async function load() {
  const exports = await authorizedRequest('/auth/v1/exports');
  const running = exports.find(isRunning);
  if (running) watch(running);
  else showProgress(null);
  return exports.filter((each) => !isRunning(each));
}

function isRunning({ state }) {
  return state === 'waiting' || state === 'running';
}

async function startExport({ format, query }) {
  const body = query ? { format, query } : { format };
  const started = await authorizedRequest('/auth/v1/exports', { method: 'POST', body }).catch((error) => {
    // An export that was started elsewhere is already running.
    if (error.status !== 409) throw error;
  });
  if (started) watch(started);
  else refreshList();
}

function watch(running) {
  showProgress(running);
  clearTimeout(pollTimer);
  pollTimer = setTimeout(() => poll(running), POLL_INTERVAL_MS);
}

async function poll(running) {
  // After other errors, such as a lost connection, polling continues.
  const current = await authorizedRequest(`/auth/v1/exports/${running.id}`)
    .catch((error) => (error.status === 404 ? null : running));
  if (current && isRunning(current)) {
    watch(current);
    return;
  }
  showProgress(null);
  if (current) showToast(current.state === 'ready' ? t('Your export is ready.') : t('The export failed.'));
  refreshList();
}

function showProgress(running) {
  const frame = document.getElementById('running-export');
  const bar = document.getElementById('export-progress');
  frame.hidden = !running;
  document.getElementById('start-export').hidden = !!running;
  if (!running) return;
  const { rows_done, rows_total } = running;
  const isCounted = rows_total > 0;
  const counts = { done: rows_done, all: rows_total };
  const words = () => (running.format === 'zip' ? t('{done} of {all} rows', counts) : t('{done} of {all} links', counts));
  frame.querySelector('label').textContent = isCounted
    ? words()
    : t('Waiting to start…');
  if (isCounted) Object.assign(bar, { max: rows_total, value: rows_done });
  else bar.removeAttribute('value');
}

function createRow(finished) {
  return finished.state === 'ready' ? createReadyRow(finished) : createFailedRow(finished);
}

function createReadyRow({ id, url, bytes, rows_total, created_at, expires_at, format, query }) {
  const link = createElement('a', {
    href: url,
    download: '',
    className: 'button',
    textContent: t('Download'),
    onclick: (event) => download(event, id),
  });
  const count = { n: rows_total };
  const rows = rows_total != null && (format === 'zip' ? t('{n} row|{n} rows', count) : t('{n} link|{n} links', count));
  const expiryTime = createTime(expires_at, formatShortTime(expires_at));
  const expiry = createElement('span', {}, ...textParts('available until {time}', { time: expiryTime }));
  return createElement('li', {},
    createElement('div', {},
      createHead(created_at),
      createFactsLine(formatName(format), query, formatSize(bytes), rows, expiry)),
    link);
}

function createFailedRow({ message, created_at, format, query }) {
  const again = () => startExport({ format, query });
  const button = createElement('button', { textContent: t('Try again'), onclick: busyWhile(again) });
  return createElement('li', {},
    createElement('div', {},
      createHead(created_at),
      createElement('p', { className: 'facts error', dir: 'auto' }, message || t('The export failed.'))),
    button);
}

function createHead(created_at) {
  return createElement('p', { className: 'head' }, ...textParts('Export of {time}', { time: createTime(created_at) }));
}

// The URL of a file is valid for ten minutes and the page may be open for longer, so each download fetches a
// new one.
async function download(event, id) {
  event.preventDefault();
  try {
    const { url } = await authorizedRequest(`/auth/v1/exports/${id}`);
    location.assign(serverURL(url));
  } catch (error) {
    showError(error);
  }
}
