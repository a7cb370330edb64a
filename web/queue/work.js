// What is under way, what waits for its turn, and what is tried again later.
import { doing } from '/doing.js';
import { line, make, moment } from '/make.js';
import { many, number } from '/numbers.js';
import { tell } from '/toast.js';
import { cancel, counted, retry } from './asking.js';
import { withLinks } from './links.js';
import { live, swap } from './live.js';
import { look } from './looking.js';
import { short, titled } from './title.js';

// Whoever is due within this time is worth waiting for.
const SOON_MS = 15_000;
const KINDS = { save: 'Fetch the page', extract: 'Read again what is kept', place: 'Find highlights again' };
// Nobody has asked for these, and on a schedule there are many.
const REVISITS = 'kind=in.(check,refresh)', OTHERS = 'kind=not.in.(check,refresh)';
const revisits = document.getElementById('revisits');

// Running ones first, then pending and failed ones, as it happens in the order of the alphabet from its end.
async function load(wanted) {
  const { things, total } = await counted(`jobs?state=in.(running,pending,failed)&${OTHERS}&order=state.desc,run_at.asc.nullsfirst,id.asc&limit=${wanted}`);
  const { total: again } = await counted(`jobs?state=in.(running,pending,failed)&${REVISITS}&select=id&limit=0`);
  const one = again === 1;
  revisits.textContent = `Besides, ${number(again)} ${one ? 'page' : 'pages'} will be looked at again: whether ${one ? 'it is' : 'they are'} still there, and what has changed.`;
  revisits.hidden = !again;
  return { things: await withLinks(things), total };
}

const isDue = ({ run_at }, soon = 0) => new Date(run_at) - Date.now() < soon;
// What was given up is not to stand far below.
const FEW = 20;
const settle = ({ things }) => things.some((job) => job.state === 'running' || isDue(job, SOON_MS));
export const work = live(document.getElementById('work'), load, row, settle, FEW);

function row() {
  let job, facts = make('p'), why = make('p');
  const title = titled(), button = make('button', { textContent: 'Cancel', onclick: doing(() => takeBack(job)) });
  const element = make('li', {}, make('div', {}, title.element, facts, why), button);
  function paint(now) {
    job = now;
    title.paint(job);
    facts = swap(facts, line(KINDS[job.kind] ?? job.kind, stateOf(job), job.attempts > 1 && `try ${job.attempts}`));
    why = swap(why, make('p', { className: 'facts', dir: 'auto', textContent: job.state === 'running' ? '' : job.message ?? '' }));
    button.ariaLabel = `Cancel ${short(job.link)}`;
    button.hidden = job.kind !== 'save' || job.state === 'running';
  }
  return { element, paint };
}

function stateOf(job) {
  const { state, run_at, attempts } = job;
  if (state === 'running') return make('b', { textContent: 'under way' });
  if (state === 'failed') return make('span', {}, `failed ${attempts === 1 ? 'once' : many(attempts, 'time')}, tried again `, isDue(job) ? 'now' : moment(run_at));
  return isDue(job) ? 'waiting' : make('span', {}, 'waiting for its turn ', moment(run_at));
}

async function takeBack({ link_id, link }) {
  const taken = await cancel({ link_ids: [link_id] });
  if (taken) tell(`Taken out of the queue: ${short(link)}`, () => retry([link_id]).then(look, ({ message }) => tell(message)));
  else tell('It is being worked on already.');
  await look();
}
