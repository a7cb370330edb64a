// The section for admins: the number of jobs of each user. Admins do not see which pages these are.

import { restRequest } from '../shared/api/session.js';
import { formatNumber } from '../shared/format/numbers.js';
import { reasonNames } from '../shared/locale/reasons.js';
import { t, textParts } from '../shared/locale/translate.js';
import { createElement, createFactsLine, createTime, replaceIfChanged } from '../shared/ui/elements.js';
import { setUpLiveSection } from './live-section.js';

/** Job states in the order in which they are shown. */
const STATES = {
  running: (count) => t('{count} under way', { count }),
  pending: (count) => t('{count} waiting', { count }),
  failed: (count) => t('{count} will be retried', { count }),
  buried: (count) => t('{count} failed or removed', { count }),
};

// Codes of faults of the server itself have no name.
const REASONS = reasonNames(t);

/** @returns {import('./polling.js').Refresh} */
export function setUpAllUsers() {
  for (const element of document.querySelectorAll('.for-admins')) element.hidden = false;
  return setUpLiveSection(document.getElementById('all-users'), { load, createRow });
}

// The API counts by user, kind, state and reason; each user becomes one item.
async function load(limit) {
  const users = new Map();
  for (const row of await restRequest('rpc/queue_of_all', { method: 'POST', body: {} })) {
    const { user_id: id, email, state, reason, jobs, next_run_at } = row;
    const user = users.get(id) ?? { id, email, counts: {}, reasons: new Map(), nextRun: null };
    user.counts[state] = (user.counts[state] ?? 0) + jobs;
    if (reason) user.reasons.set(reason, (user.reasons.get(reason) ?? 0) + jobs);
    if (next_run_at && (!user.nextRun || next_run_at < user.nextRun)) user.nextRun = next_run_at;
    users.set(id, user);
  }
  return { items: [...users.values()].slice(0, limit), total: users.size };
}

function createRow() {
  let facts = createElement('p');
  let reasons = createElement('p');
  const heading = createElement('p', { className: 'head', dir: 'auto' });
  const element = createElement('li', {}, createElement('div', {}, heading, facts, reasons));

  function render(user) {
    const counts = Object.entries(STATES)
      .map(([state, describe]) => user.counts[state] && describe(user.counts[state]));
    const isNextLater = user.nextRun && new Date(user.nextRun) > Date.now();
    const next = isNextLater && createElement('span', {},
      ...textParts('next one {time}', { time: createTime(user.nextRun) }));
    const list = [...user.reasons].map(([reason, count]) => `${REASONS[reason] ?? reason} ${formatNumber(count)}`).join(', ');
    if (heading.textContent !== user.email) heading.textContent = user.email;
    facts = replaceIfChanged(facts, createFactsLine(...counts, next));
    reasons = replaceIfChanged(reasons, createElement('p', { className: 'facts', textContent: list }));
  }
  return { element, render };
}
