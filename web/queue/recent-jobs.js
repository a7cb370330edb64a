// The section of recently finished jobs, with the time that they took.

import { formatElapsed } from '../shared/format/numbers.js';
import { restRequest } from '../shared/api/session.js';
import { reasonText, t } from '../shared/locale/translate.js';
import { createElement, createFactsLine, createTime, replaceIfChanged } from '../shared/ui/elements.js';
import { withLinks } from './job-links.js';
import { createLinkHeading } from './link-heading.js';
import { setUpLiveSection } from './live-section.js';

const LIMIT = 20;

const KINDS = {
  save: t('fetched'),
  extract: t('article extracted again'),
  place: t('highlights found again'),
  refresh: t('fetched again'),
};

const STEPS = {
  recall: t('loading saved data'),
  fetch: t('fetching'),
  read: t('extracting the article'),
  canonicalise: t('finding the canonical URL'),
  store: t('storing'),
  place: t('finding highlights'),
};

/** @returns {import('./polling.js').Refresh} */
export function setUpRecentJobs() {
  return setUpLiveSection(document.getElementById('recent'), { load, createRow });
}

async function load() {
  const query = `state=eq.done&kind=neq.check&order=done_at.desc,id.desc&limit=${LIMIT}`;
  const items = await withLinks(await restRequest(`jobs?${query}`));
  return { items, total: items.length };
}

function createRow() {
  let facts = createElement('p');
  let reason = createElement('p');
  const heading = createLinkHeading();
  const element = createElement('li', {}, createElement('div', {}, heading.element, facts, reason));

  function render(job) {
    heading.render(job);
    facts = replaceIfChanged(facts,
      createFactsLine(KINDS[job.kind] ?? job.kind, createTime(job.done_at), createDuration(job)));
    // Why a page that was fetched has no article, or only a part of it.
    const { state, reason: code, reason_message } = job.link;
    const message = state === 'pending' ? '' : reasonText(code, reason_message) ?? '';
    reason = replaceIfChanged(reason, createElement('p', { className: 'facts', dir: 'auto' }, message));
  }
  return { element, render };
}

function createDuration({ started_at, done_at, steps }) {
  if (!started_at) return '';
  const stepTimes = Object.entries(steps ?? {}).map(([step, milliseconds]) =>
    `${STEPS[step] ?? step} ${formatElapsed(milliseconds)}`);
  const total = formatElapsed(new Date(done_at) - new Date(started_at));
  return createElement('span', { title: stepTimes.join(', ') }, t('took {time}', { time: total }));
}
