// The section of jobs that are running, waiting, or to be retried.

import { shortLinkTitle } from '../shared/links/link-text.js';
import { reasonText, t, textParts } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createElement, createFactsLine, createTime, replaceIfChanged } from '../shared/ui/elements.js';
import { showError, showToast } from '../shared/ui/toast.js';
import { withLinks } from './job-links.js';
import { createLinkHeading } from './link-heading.js';
import { setUpLiveSection } from './live-section.js';
import { refreshNow } from './polling.js';
import { cancelJobs, fetchCounted, retryLinks } from './queue-api.js';

/** Few enough that the sections below stay in reach. */
const PAGE_SIZE = 20;

/** A job that is due within this time counts as activity. */
const DUE_SOON_MS = 15_000;

const KINDS = {
  save: t('Fetch the page'),
  extract: t('Extract the article again'),
  place: t('Find the highlights again'),
};

// Scheduled rechecks can be many and nobody asked for them, so they are counted instead of listed.
const UNFINISHED = 'state=in.(running,pending,failed)';
const RECHECKS = 'kind=in.(check,refresh)';
const NO_RECHECKS = 'kind=not.in.(check,refresh)';

/** @returns {import('./polling.js').Refresh} */
export function setUpWaitingJobs() {
  const section = document.getElementById('work');
  return setUpLiveSection(section, { load, createRow, isActive, pageSize: PAGE_SIZE });
}

async function load(limit) {
  // Descending by name, the states happen to be in the right order: running, pending, failed.
  const order = 'order=state.desc,run_at.asc.nullsfirst,id.asc';
  const { items, total } = await fetchCounted(`jobs?${UNFINISHED}&${NO_RECHECKS}&${order}&limit=${limit}`);
  const rechecks = await fetchCounted(`jobs?${UNFINISHED}&${RECHECKS}&select=id&limit=0`);
  showRechecks(rechecks.total);
  return { items: await withLinks(items), total };
}

function showRechecks(count) {
  const hint = document.getElementById('rechecks');
  hint.textContent = t('{n} more page is scheduled to be checked for availability and changes.'
    + '|{n} more pages are scheduled to be checked for availability and changes.', { n: count });
  hint.hidden = !count;
}

function isDue({ run_at }, withinMs = 0) {
  return new Date(run_at) - Date.now() < withinMs;
}

function isActive({ items }) {
  return items.some((job) => job.state === 'running' || isDue(job, DUE_SOON_MS));
}

function createRow() {
  let current;
  let facts = createElement('p');
  let reason = createElement('p');
  const heading = createLinkHeading();
  const button = createElement('button', {
    textContent: t('Cancel'),
    onclick: busyWhile(() => cancel(current)),
  });
  const element = createElement('li', {}, createElement('div', {}, heading.element, facts, reason), button);

  function render(job) {
    current = job;
    const kind = KINDS[job.kind] ?? job.kind;
    const message = job.state === 'running' ? '' : reasonText(job.reason, job.message) ?? '';
    heading.render(job);
    facts = replaceIfChanged(facts,
      createFactsLine(kind, describeState(job), job.attempts > 1 && t('attempt {number}', { number: job.attempts })));
    reason = replaceIfChanged(reason, createElement('p', { className: 'facts', dir: 'auto' }, message));
    button.ariaLabel = t('Cancel {title}', { title: shortLinkTitle(job.link) });
    button.hidden = job.kind !== 'save' || job.state === 'running';
  }
  return { element, render };
}

function describeState(job) {
  const { state, run_at, attempts } = job;
  if (state === 'running') return createElement('b', { textContent: t('under way') });
  if (state === 'failed') {
    const time = isDue(job) ? t('now') : createTime(run_at);
    return createElement('span', {},
      ...textParts('failed once, next attempt {time}|failed {n} times, next attempt {time}', { n: attempts, time }));
  }
  if (isDue(job)) return t('waiting');
  return createElement('span', {}, ...textParts('waiting, due {time}', { time: createTime(run_at) }));
}

async function cancel({ link_id, link }) {
  const count = await cancelJobs({ link_ids: [link_id] });
  if (count) showToast(removedText(link), () => undoCancel(link_id));
  else showToast(t('This link is already being processed.'));
  await refreshNow();
}

function removedText(link) {
  return t('Removed from the queue: {title}', { title: shortLinkTitle(link) });
}

async function undoCancel(linkId) {
  try {
    await retryLinks([linkId]);
    await refreshNow();
  } catch (error) {
    showError(error);
  }
}
