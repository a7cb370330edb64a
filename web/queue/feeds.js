// The section of feeds: what is known of each subscription, and what the user can do with it.

import { errorText } from '../shared/api/error-texts.js';
import { restRequest } from '../shared/api/session.js';
import { setExternalURL } from '../shared/links/external-link.js';
import { t, textParts } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';
import { createElement, createFactsLine, createTime, replaceIfChanged } from '../shared/ui/elements.js';
import { showToast } from '../shared/ui/toast.js';
import { setUpFeedForms } from './feed-forms.js';
import { setUpLiveSection } from './live-section.js';
import { refreshNow } from './polling.js';
import { fetchCounted } from './queue-api.js';

const PAGE_SIZE = 20;

/** @returns {import('./polling.js').Refresh} */
export function setUpFeeds() {
  const section = document.getElementById('feeds');
  setUpFeedForms(section);
  const download = document.getElementById('export-feeds');
  return setUpLiveSection(section, {
    // Those that need attention come first.
    load: (limit) => fetchCounted(`feeds?order=failures.desc,title.asc,id.asc&limit=${limit}`),
    createRow,
    pageSize: PAGE_SIZE,
    isActive: ({ items }) => items.some(isDue),
    onLoaded: ({ total }) => { download.hidden = !total; },
  });
}

function isDue({ is_paused, next_fetch_at }) {
  return !is_paused && new Date(next_fetch_at) <= Date.now();
}

function createRow() {
  let current;
  let facts = createElement('p');
  let reason = createElement('p');
  const anchor = createElement('a');
  const heading = createElement('p', { className: 'head', dir: 'auto' }, anchor);
  const button = (label, act) => createElement('button', {
    textContent: label, onclick: busyWhile(async () => {
      if (await act() !== false) await refreshNow();
    }),
  });
  const fetchNow = button(t('Fetch now'), () =>
    restRequest('rpc/refresh_feed', { method: 'POST', body: { id: current.id } }));
  const pause = button(t('Pause'), () => change(current, { is_paused: true }));
  const remove = button(t('Unsubscribe'), () => unsubscribe(current));
  const element = createElement('li', {},
    createElement('div', {}, heading, reason, facts),
    createElement('div', { className: 'buttons' }, fetchNow, pause, remove));

  function render(feed) {
    current = feed;
    const title = feedTitle(feed);
    if (anchor.textContent !== title) anchor.textContent = title;
    setExternalURL(anchor, feed.site_url ?? feed.url).hidden = false;
    const why = feed.reason ? errorText(feed.reason) : '';
    reason = replaceIfChanged(reason, createElement('p', { className: 'facts error', dir: 'auto' }, why));
    reason.hidden = !feed.reason;
    facts = replaceIfChanged(facts, createFactsLine(...describe(feed)));
    fetchNow.textContent = feed.is_paused ? t('Resume') : t('Fetch now');
    fetchNow.ariaLabel = feed.is_paused ? t('Resume: {title}', { title }) : t('Fetch now: {title}', { title });
    pause.ariaLabel = t('Pause: {title}', { title });
    pause.hidden = feed.is_paused;
    remove.ariaLabel = t('Unsubscribe: {title}', { title });
  }
  return { element, render };
}

function feedTitle({ title, url }) {
  return title || url;
}

function describe(feed) {
  const { last_success_at, next_fetch_at, is_paused, saved_count } = feed;
  const nextFetch = () =>
    createElement('span', {}, ...textParts('next fetch {time}', { time: createTime(next_fetch_at) }));
  return [
    last_success_at
      ? createElement('span', {}, ...textParts('last read {time}', { time: createTime(last_success_at) }))
      : t('not read yet'),
    is_paused && t('paused'),
    !is_paused && (isDue(feed) ? t('being fetched') : nextFetch()),
    t('{n} link saved|{n} links saved', { n: saved_count }),
  ];
}

function change({ id }, body) {
  return restRequest(`feeds?id=eq.${id}`, { method: 'PATCH', body, headers: { Prefer: 'return=minimal' } });
}

async function unsubscribe(feed) {
  const title = feedTitle(feed);
  const details = t('New entries are not saved any more. The links that were saved stay.');
  if (!await confirmAction(t('Unsubscribe from “{title}”?', { title }), details, t('Unsubscribe'))) return false;
  await restRequest(`feeds?id=eq.${feed.id}`, { method: 'DELETE' });
  showToast(t('Unsubscribed: {title}', { title }));
  return true;
}
