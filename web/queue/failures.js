// What was given up: why, and once more.
import { doing } from '/doing.js';
import { many, number } from '/numbers.js';
import { isSure } from '/sure.js';
import { tell } from '/toast.js';
import { ask, counted, retry } from './asking.js';
import { withLinks } from './links.js';
import { live } from './live.js';
import { look } from './looking.js';
import { lost } from './lost.js';
import { choice, narrowed } from './reasons.js';

const section = document.getElementById('failures'), retryAll = document.getElementById('retry-all');
const BURIED = 'jobs?state=eq.buried';
// Links that are asked for again in one request.
const AT_ONCE = 200;
// More than these nobody has before their eyes.
const MANY = 50;
let count = 0;

async function load(wanted) {
  await choice(BURIED);
  const { things, total } = await counted(`${BURIED}${narrowed()}&order=id.desc&limit=${wanted}`);
  return { things: await withLinks(things), total };
}

function settle({ total }) {
  count = total;
  section.querySelector('.hint').hidden = !total;
  retryAll.hidden = total < 2;
  if (!retryAll.ariaDisabled) retryAll.textContent = `Try all ${number(total)} again`;
  return false;
}

export const failures = live(section, load, lost(about), settle);
retryAll.onclick = doing(tryAll);

// What its user took out of the queue is nothing wrong.
function about({ reason, message, attempts }) {
  const facts = [attempts > 1 && `tried ${many(attempts, 'time')}`];
  return { wrong: message ?? 'It could not be fetched.', isWish: reason === 'cancelled', facts };
}

async function tryAll() {
  const words = 'They wait behind what you save meanwhile.';
  if (count > MANY && !await isSure(`Try ${many(count, 'link')} again?`, words, 'Try all again')) return;
  const all = count;
  let tried = 0;
  try {
    for await (const ids of buried()) {
      await retry(ids);
      tried += ids.length;
      retryAll.textContent = `${number(tried)} of ${number(all)} …`;
    }
  } finally {
    retryAll.ariaDisabled = null;
    await look();
  }
  tell(`Trying ${many(tried, 'link')} again.`);
}

// Page after page of those that were given up by now: what fails anew meanwhile has a higher number, and waits for another day.
async function* buried() {
  const which = BURIED + narrowed(), [newest] = await ask(`${which}&select=id&order=id.desc&limit=1`);
  for (let last = 0; newest;) {
    const page = await ask(`${which}&select=id,link_id&id=gt.${last}&id=lte.${newest.id}&order=id.asc&limit=${AT_ONCE}`);
    if (!page.length) return;
    last = page.at(-1).id;
    yield [...new Set(page.map((job) => job.link_id))];
  }
}
