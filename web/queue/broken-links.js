// The section of broken links: pages that were fetched once and are no longer available.

import { reasonText, t, textParts } from '../shared/locale/translate.js';
import { createElement, createTime } from '../shared/ui/elements.js';
import { setUpLiveSection } from './live-section.js';
import { fetchCounted } from './queue-api.js';
import { unavailableRow } from './unavailable-row.js';

const PAGE_SIZE = 20;

/** @returns {import('./polling.js').Refresh} */
export function setUpBrokenLinks() {
  return setUpLiveSection(document.getElementById('broken'), {
    load,
    createRow: unavailableRow(describe),
    pageSize: PAGE_SIZE,
  });
}

// Links that were never fetched are in the section of failed jobs.
async function load(limit) {
  const query = `state=neq.failed&order=broken_since.desc,link_id.asc&limit=${limit}`;
  const { items, total } = await fetchCounted(`broken_links?${query}`);
  return { items: items.map(toItem), total };
}

// A broken link has the columns of its link, too.
function toItem(row) {
  const id = row.link_id;
  return { ...row, id, link: { ...row, id } };
}

function describe({ reason, message, broken_since, visited_at, has_article, state }) {
  return {
    reason: reasonText(reason, message),
    isRetrying: state === 'pending',
    facts: [
      createElement('span', {}, ...textParts('first missing {time}', { time: createTime(broken_since) })),
      createElement('span', {}, ...textParts('last checked {time}', { time: createTime(visited_at) })),
      has_article && t('the saved article is kept'),
    ],
  };
}
