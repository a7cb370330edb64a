// The section of imports: the progress of each, and a button to cancel the rest of it.

import { restRequest } from '../shared/api/session.js';
import { formatEstimate } from '../shared/format/numbers.js';
import { t, textParts } from '../shared/locale/translate.js';
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
    textContent: t('Cancel the rest'),
    onclick: busyWhile(() => cancelRest(current)),
  });
  const element = createElement('li', {}, heading, bar, counts, pace, button);

  function render(batch) {
    current = batch;
    const { jobs, done, buried, waiting, failed, created_at, done_at } = batch;
    const finished = done + buried;
    const started = { n: jobs, time: createTime(created_at) };
    heading = replaceIfChanged(heading, createElement('h3', {},
      ...textParts('Import of {n} link, started {time}|Import of {n} links, started {time}', started)));
    // The number of links distinguishes the progress bars of several imports.
    bar.ariaLabel = t('Progress of the import of {n} link: {finished} of {n}'
      + '|Progress of the import of {n} links: {finished} of {n}', { n: jobs, finished });
    if (bar.value !== finished || bar.max !== jobs) Object.assign(bar, { max: jobs, value: finished });
    bar.hidden = !!done_at;
    counts = replaceIfChanged(counts, createFactsLine(...describeCounts(batch)));
    pace = replaceIfChanged(pace, createElement('p', { className: 'facts' }, ...describePace(batch)));
    button.hidden = !(waiting + failed);
  }
  return { element, render };
}

function describeCounts({ done, running, waiting, failed, buried }) {
  return [
    t('{count} done', { count: done }),
    running > 0 && t('{count} under way', { count: running }),
    waiting > 0 && t('{count} waiting', { count: waiting }),
    failed > 0 && t('{count} will be retried', { count: failed }),
    buried > 0 && t('{count} failed or removed', { count: buried }),
  ];
}

function describePace({ done_last_minute, seconds_left, done_at }) {
  if (done_at) return textParts('Finished {time}.', { time: createTime(done_at) });
  if (!done_last_minute) return [t('None finished in the last minute.')];
  const values = { count: done_last_minute, time: formatEstimate(seconds_left) };
  return [t('{count} finished in the last minute; at this rate, {time} left.', values)];
}

async function cancelRest({ id, waiting, failed }) {
  const question = t('Remove {n} link from the queue?|Remove {n} links from the queue?', { n: waiting + failed });
  const details = t('They will not be fetched. The links stay in your lists, and you can fetch each one later.');
  if (!await confirmAction(question, details, t('Cancel the rest'))) return;
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
    ? t('{n} link removed from the queue.|{n} links removed from the queue.', { n: cancelled })
    : t('There was nothing left to remove.'));
}
