// Everything a user has, as a file to take away: asked for, watched while it is made, downloaded.
import { doing } from '/doing.js';
import { onSubmit } from '/forms.js';
import { listing } from '/listing.js';
import { line, make, moment } from '/make.js';
import { number } from '/numbers.js';
import { signed } from '/session.js';
import { tell } from '/toast.js';

const $ = (selector) => document.querySelector(selector);
const section = $('#export'), start = $('#start-export'), underWay = $('#under-way'), progress = $('#export-progress');
const POLL_MS = 1000;
let refresh;

export function showExports() {
  refresh = listing(section, load, row);
  onSubmit(start, begin);
}

// What is under way is shown by itself; the list has what has come of the others.
async function load() {
  const all = await signed('/auth/v1/exports'), current = all.find(isUnderWay);
  if (current) watch(current); else show(null);
  return all.filter((one) => !isUnderWay(one));
}

const isUnderWay = ({ state }) => state === 'waiting' || state === 'running';

async function begin() {
  const made = await signed('/auth/v1/exports', { method: 'POST' }).catch((error) => {
    if (error.status !== 409) throw error;  // one is under way already, begun elsewhere
  });
  if (made) watch(made); else refresh();
}

let watching;
function watch(current) {
  show(current);
  clearTimeout(watching);
  watching = setTimeout(async () => {
    // Who is offline for a moment goes on watching.
    const now = await signed(`/auth/v1/exports/${current.id}`).catch((error) => error.status === 404 ? null : current);
    if (now && isUnderWay(now)) return watch(now);
    show(null);
    if (now) tell(now.state === 'ready' ? 'Your export is ready.' : 'The export did not succeed.');
    refresh();
  }, POLL_MS);
}

function show(current) {
  underWay.hidden = !current;
  start.hidden = !!current;
  if (!current) return;
  const { rows_done, rows_total } = current, isCounted = rows_total > 0;
  $('#under-way label').textContent = isCounted ? `${number(rows_done)} of ${number(rows_total)} rows` : 'Waiting to start …';
  if (isCounted) Object.assign(progress, { max: rows_total, value: rows_done });
  else progress.removeAttribute('value');
}

function row(one) {
  return one.state === 'ready' ? readyRow(one) : failedRow(one);
}

function readyRow({ id, url, bytes, rows_total, created_at, expires_at }) {
  const link = make('a', { href: url, download: '', className: 'button', textContent: 'Download', onclick: (event) => download(event, id) });
  return make('li', {}, make('div', {},
    make('p', { className: 'head' }, 'Export of ', moment(created_at)),
    line(size(bytes), rows_total != null && `${number(rows_total)} rows`, make('span', {}, 'kept until ', moment(expires_at, day(expires_at))))), link);
}

function failedRow({ message, created_at }) {
  const again = make('button', { textContent: 'Try again', onclick: doing(begin) });
  return make('li', {}, make('div', {},
    make('p', { className: 'head' }, 'Export of ', moment(created_at)),
    make('p', { className: 'facts wrong', dir: 'auto' }, message || 'It did not succeed.')), again);
}

// A link is good for ten minutes, and the page may be open for longer: a fresh one is taken each time.
async function download(event, id) {
  event.preventDefault();
  try {
    const { url } = await signed(`/auth/v1/exports/${id}`);
    location.assign(url);
  } catch ({ message }) {
    tell(message);
  }
}

const day = (iso) => new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });

function size(bytes) {
  const [unit, length] = [['GB', 1e9], ['MB', 1e6], ['kB', 1e3]].find(([, length]) => bytes >= length) ?? ['bytes', 1];
  return `${(bytes / length).toLocaleString('en', { maximumFractionDigits: length > 1e3 ? 1 : 0 })} ${unit}`;
}
