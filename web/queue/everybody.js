// For admins: how much of everybody's waits, and what was given up. What the pages are is not theirs to see.
import { line, make, moment } from '/make.js';
import { number } from '/numbers.js';
import { ask } from './asking.js';
import { live, swap } from './live.js';

const section = document.getElementById('everybody');
const WORDS = { running: 'under way', pending: 'waiting', failed: 'to be tried again', buried: 'given up' };

// The service answers by user, kind, state and reason; a user is a row.
async function load(wanted) {
  const users = new Map();
  for (const { user_id: id, email, state, reason, jobs, next_run_at } of await ask('rpc/queue_of_all', { method: 'POST', body: {} })) {
    const user = users.get(id) ?? { id, email, counts: {}, reasons: new Map(), next: null };
    user.counts[state] = (user.counts[state] ?? 0) + jobs;
    if (reason) user.reasons.set(reason, (user.reasons.get(reason) ?? 0) + jobs);
    if (next_run_at && (!user.next || next_run_at < user.next)) user.next = next_run_at;
    users.set(id, user);
  }
  return { things: [...users.values()].slice(0, wanted), total: users.size };
}

/** Shows the section; returns what brings it up to date. */
export function everybody() {
  for (const part of document.querySelectorAll('.for-admins')) part.hidden = false;
  return live(section, load, row);
}

function row() {
  let facts = make('p'), why = make('p');
  const head = make('p', { className: 'head', dir: 'auto' }), element = make('li', {}, make('div', {}, head, facts, why));
  function paint({ email, counts, reasons, next }) {
    if (head.textContent !== email) head.textContent = email;
    const said = Object.entries(WORDS).map(([state, words]) => counts[state] && `${number(counts[state])} ${words}`);
    facts = swap(facts, line(...said, next && new Date(next) > Date.now() && make('span', {}, 'next ', moment(next))));
    const list = [...reasons].map(([reason, count]) => `${reason} ${number(count)}`).join(', ');
    why = swap(why, make('p', { className: 'facts', textContent: list }));
  }
  return { element, paint };
}
