// What was done last, and how long it took.
import { line, make, moment } from '/make.js';
import { took } from '/numbers.js';
import { ask } from './asking.js';
import { withLinks } from './links.js';
import { live, swap } from './live.js';
import { titled } from './title.js';

const FEW = 20;
const KINDS = { save: 'fetched', extract: 'read again', place: 'highlights found again', refresh: 'fetched anew' };
const STEPS = { recall: 'looking it up', fetch: 'fetching', read: 'reading', canonicalise: 'telling its address', store: 'storing', place: 'finding highlights' };

async function load() {
  const things = await withLinks(await ask(`jobs?state=eq.done&kind=neq.check&order=done_at.desc,id.desc&limit=${FEW}`));
  return { things, total: things.length };
}

export const lately = live(document.getElementById('lately'), load, row);

function row() {
  let facts = make('p'), why = make('p');
  const title = titled(), element = make('li', {}, make('div', {}, title.element, facts, why));
  function paint(job) {
    title.paint(job);
    facts = swap(facts, line(KINDS[job.kind] ?? job.kind, moment(job.done_at), duration(job)));
    // Fetched, and no article or a part of one: the link says why.
    why = swap(why, make('p', { className: 'facts', dir: 'auto', textContent: job.link.state === 'pending' ? '' : job.link.reason_message ?? '' }));
  }
  return { element, paint };
}

function duration({ started_at, done_at, steps }) {
  if (!started_at) return '';
  const parts = Object.entries(steps ?? {}).map(([step, time]) => `${STEPS[step] ?? step} ${took(time)}`);
  return make('span', { title: parts.join(', ') }, `took ${took(new Date(done_at) - new Date(started_at))}`);
}
