// The section of imports: the progress of each, and a button to cancel the rest of it.

import { restRequest } from '../shared/api/session.js';
import { formatCount, formatEstimate, formatNumber } from '../shared/format/numbers.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';
import { createElement, createFactsLine, createTime, replaceIfChanged } from '../shared/ui/elements.js';
import { showToast } from '../shared/ui/toast.js';
import { setUpLiveSection } from './live-section.js';
import { refreshNow } from './polling.js';
import { cancelJobs } from './queue-api.js';

/** Older imports are rarely of interest. */
const PAGE_SIZE = 3;

/** @returns {import('./polling.js').Refresh} */
export function setUpImports() {
  const section = document.getElementById('imports');
  return setUpLiveSection(section, { load, createRow, isActive, pageSize: PAGE_SIZE });
}

// Imports whose jobs were all deleted are left out. One more than the limit is fetched to see whether there
// are more, as an exact count would have to count all jobs of all imports.
async function load(limit) {
  const batches = await restRequest(`batches?jobs=gt.0&order=id.desc&limit=${limit + 1}`);
  return { items: batches.slice(0, limit), total: batches.length };
}

function isActive({ items }) {
  return items.some((batch) => batch.running || batch.done_last_minute);
}

function createRow() {
  let current;
  let heading = createElement('h3');
  let counts = createElement('p');
  let pace = createElement('p');
  const bar = createElement('progress');
  const button = createElement('button', {
    textContent: 'Cancel the rest',
    onclick: busyWhile(() => cancelRest(current)),
  });
  const element = createElement('li', {}, heading, bar, counts, pace, button);

  function render(batch) {
    current = batch;
    const { jobs, done, buried, waiting, failed, created_at, done_at } = batch;
    const finished = done + buried;
    const name = formatCount(jobs, 'link');
    heading = replaceIfChanged(heading,
      createElement('h3', {}, `Import of ${name}, started `, createTime(created_at)));
    // The number of links distinguishes the progress bars of several imports.
    bar.ariaLabel = `Progress of the import of ${name}: ${formatNumber(finished)} of ${formatNumber(jobs)}`;
    if (bar.value !== finished || bar.max !== jobs) Object.assign(bar, { max: jobs, value: finished });
    bar.hidden = !!done_at;
    counts = replaceIfChanged(counts, createFactsLine(...describeCounts(batch)));
    pace = replaceIfChanged(pace, createElement('p', { className: 'facts' }, ...describePace(batch)));
    button.hidden = !(waiting + failed);
  }
  return { element, render };
}

function describeCounts({ done, running, waiting, failed, buried }) {
  const count = (value, words) => value > 0 && `${formatNumber(value)} ${words}`;
  return [
    `${formatNumber(done)} done`,
    count(running, 'under way'),
    count(waiting, 'waiting'),
    count(failed, 'to be retried'),
    count(buried, 'given up'),
  ];
}

function describePace({ done_last_minute, seconds_left, done_at }) {
  if (done_at) return ['Finished ', createTime(done_at), '.'];
  if (!done_last_minute) return ['None finished in the last minute.'];
  const pace = `${formatNumber(done_last_minute)} finished in the last minute`;
  return [`${pace}; at this rate, ${formatEstimate(seconds_left)} left.`];
}

async function cancelRest({ id, waiting, failed }) {
  const question = `Remove ${formatCount(waiting + failed, 'link')} from the queue?`;
  const details = 'They will not be fetched. The links stay in your lists, and you can fetch each one later.';
  if (!await confirmAction(question, details, 'Cancel the rest')) return;
  let cancelled = 0;
  try {
    // The server cancels as many jobs in one request as its time limit allows.
    let count;
    do {
      count = await cancelJobs({ batch_id: id });
      cancelled += count;
    } while (count);
  } finally {
    await refreshNow();
  }
  showToast(cancelled
    ? `${formatCount(cancelled, 'link')} removed from the queue.`
    : 'There was nothing left to remove.');
}
