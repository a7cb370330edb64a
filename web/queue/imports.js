// Imports: how far each is, and a way to take back what is left of it.
import { doing } from '/doing.js';
import { line, make, moment } from '/make.js';
import { lasting, many, number } from '/numbers.js';
import { isSure } from '/sure.js';
import { tell } from '/toast.js';
import { ask, cancel } from './asking.js';
import { live, swap } from './live.js';
import { look } from './looking.js';

// Older ones are seldom wanted.
const FEW = 3;

// Those of which nothing is known any more have no jobs. Counting them all would count all that was ever brought in.
async function load(wanted) {
  const found = await ask(`batches?jobs=gt.0&order=id.desc&limit=${wanted + 1}`);
  return { things: found.slice(0, wanted), total: found.length };
}
const settle = ({ things }) => things.some((batch) => batch.running || batch.done_last_minute);
export const imports = live(document.getElementById('imports'), load, row, settle, FEW);

function row() {
  let batch, head = make('h3'), counts = make('p'), pace = make('p');
  const bar = make('progress'), button = make('button', { textContent: 'Cancel the rest', onclick: doing(() => cancelRest(batch)) });
  const element = make('li', {}, head, bar, counts, pace, button);
  function paint(now) {
    batch = now;
    const { jobs, done, buried, waiting, failed, created_at, done_at } = batch, settled = done + buried;
    head = swap(head, make('h3', {}, `Import of ${many(jobs, 'link')}, begun `, moment(created_at)));
    // The number of links tells imports of one hour apart.
    bar.ariaLabel = `Progress of the import of ${many(jobs, 'link')}: ${number(settled)} of ${number(jobs)}`;
    if (bar.value !== settled || bar.max !== jobs) Object.assign(bar, { max: jobs, value: settled });
    bar.hidden = !!done_at;
    counts = swap(counts, line(...countsOf(batch)));
    pace = swap(pace, make('p', { className: 'facts' }, ...paceOf(batch)));
    button.hidden = !(waiting + failed);
  }
  return { element, paint };
}

function countsOf({ done, running, waiting, failed, buried }) {
  const count = (value, words) => value > 0 && `${number(value)} ${words}`;
  return [`${number(done)} done`, count(running, 'under way'), count(waiting, 'waiting'), count(failed, 'to be tried again'), count(buried, 'given up')];
}

function paceOf({ done_last_minute, seconds_left, done_at }) {
  if (done_at) return ['Finished ', moment(done_at), '.'];
  if (!done_last_minute) return ['None was done in the last minute.'];
  return [`${number(done_last_minute)} done in the last minute; at this rate, ${lasting(seconds_left)} left.`];
}

async function cancelRest({ id, waiting, failed }) {
  const words = 'They are not fetched. The links stay where they are, and each can be fetched later.';
  if (!await isSure(`Take ${many(waiting + failed, 'link')} out of the queue?`, words, 'Cancel the rest')) return;
  let taken = 0, some;
  try {
    // The service takes back so many at once as it has the time for.
    do taken += some = await cancel({ batch_id: id }); while (some);
  } finally {
    await look();
  }
  tell(taken ? `${many(taken, 'link')} taken out of the queue.` : 'There was nothing left to take out.');
}
