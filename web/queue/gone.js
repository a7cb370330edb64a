// Pages that were read once, and are not to be had any more.
import { doing } from '/doing.js';
import { line, make, moment } from '/make.js';
import { leadOut } from '/naming.js';
import { tell } from '/toast.js';
import { counted, retry } from './asking.js';
import { live, swap } from './live.js';
import { look } from './looking.js';
import { short, titled } from './title.js';

const FEW = 20;

// Those that never came stand among what could not be fetched.
async function load(wanted) {
  const { things, total } = await counted(`broken_links?state=neq.failed&order=broken_since.desc,link_id.asc&limit=${wanted}`);
  return { things: things.map((gone) => ({ ...gone, id: gone.link_id, link: { ...gone, id: gone.link_id } })), total };
}

export const gone = live(document.getElementById('gone'), load, row, () => false, FEW);

function row() {
  let page, why = make('p'), facts = make('p');
  const title = titled(), original = make('a', { textContent: 'Open the original' });
  const button = make('button', { textContent: 'Try again', onclick: doing(() => tryAgain(page)) });
  const element = make('li', {}, make('div', {}, title.element, why, facts), make('div', { className: 'buttons' }, original, button));
  function paint(now) {
    page = now;
    title.paint(page);
    why = swap(why, make('p', { className: 'facts wrong', dir: 'auto', textContent: page.message }));
    facts = swap(facts, line(make('span', {}, 'gone since ', moment(page.broken_since)), make('span', {}, 'looked for ', moment(page.visited_at)),
      page.has_article && 'the article is kept'));
    leadOut(original, page.raw_url).ariaLabel = `Open the original of ${short(page.link)}`;
    button.ariaLabel = `Try again: ${short(page.link)}`;
    button.hidden = page.state === 'pending';
  }
  return { element, paint };
}

async function tryAgain({ id, link }) {
  await retry([id]);
  tell(`Trying again: ${short(link)}`);
  await look();
}
