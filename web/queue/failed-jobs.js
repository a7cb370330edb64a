// The section of failed jobs: those that the server gave up after several attempts, and those that the user
// cancelled.

import { restRequest } from '../shared/api/session.js';
import { reasonText, t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';
import { showToast } from '../shared/ui/toast.js';
import { withLinks } from './job-links.js';
import { setUpLiveSection } from './live-section.js';
import { refreshNow } from './polling.js';
import { fetchCounted, retryLinks } from './queue-api.js';
import { ReasonFilter } from './reason-filter.js';
import { unavailableRow } from './unavailable-row.js';

const BURIED_JOBS = 'jobs?state=eq.buried';

/** Links in one request to retry them. */
const RETRY_BATCH_SIZE = 200;

/** Retrying more links than these needs confirmation: the user does not see them all. */
const CONFIRM_ABOVE = 50;

/** @returns {import('./polling.js').Refresh} */
export function setUpFailedJobs() {
  const section = document.getElementById('failures');
  const retryAllButton = document.getElementById('retry-all');
  const filter = new ReasonFilter(document.getElementById('reason'), refreshNow);
  let total = 0;

  async function load(limit) {
    await filter.update(BURIED_JOBS);
    const result = await fetchCounted(`${BURIED_JOBS}${filter.condition}&order=id.desc&limit=${limit}`);
    return { items: await withLinks(result.items), total: result.total };
  }

  function onLoaded(result) {
    total = result.total;
    section.querySelector('.hint').hidden = !total;
    retryAllButton.hidden = total < 2;
    if (!retryAllButton.ariaDisabled) retryAllButton.textContent = t('Try all {count} again', { count: total });
  }

  async function retryAll() {
    const count = total;
    if (count > CONFIRM_ABOVE && !await confirmRetry(count)) return;
    let retried = 0;
    try {
      for await (const linkIds of buriedLinkIds(BURIED_JOBS + filter.condition)) {
        await retryLinks(linkIds);
        retried += linkIds.length;
        retryAllButton.textContent = t('{done} of {all}…', { done: retried, all: count });
      }
    } finally {
      // The refresh sets the label only if the button is not busy.
      retryAllButton.ariaDisabled = null;
      await refreshNow();
    }
    showToast(t('Trying {n} link again.|Trying {n} links again.', { n: retried }));
  }

  retryAllButton.onclick = busyWhile(retryAll);
  return setUpLiveSection(section, { load, createRow: unavailableRow(describe), onLoaded });
}

function describe({ reason, message, attempts }) {
  return {
    reason: reasonText(reason, message) ?? t('The page could not be fetched.'),
    isUsersChoice: reason === 'cancelled',
    facts: [attempts > 1 && t('tried {n} time|tried {n} times', { n: attempts })],
  };
}

function confirmRetry(count) {
  const question = t('Try {n} link again?|Try {n} links again?', { n: count });
  return confirmAction(question, t('Links that you save in the meantime are fetched first.'), t('Try all again'));
}

// Yields the links of the jobs that are buried at the start, in batches. Jobs that fail again get higher ids,
// so a link that fails again at once is not retried twice.
async function* buriedLinkIds(path) {
  const [newest] = await restRequest(`${path}&select=id&order=id.desc&limit=1`);
  if (!newest) return;
  let lastId = 0;
  while (true) {
    const range = `id=gt.${lastId}&id=lte.${newest.id}&order=id.asc&limit=${RETRY_BATCH_SIZE}`;
    const jobs = await restRequest(`${path}&select=id,link_id&${range}`);
    if (!jobs.length) return;
    lastId = jobs.at(-1).id;
    yield [...new Set(jobs.map((job) => job.link_id))];
  }
}
