// Pages that were read once, and are not to be had any more.
import { make, moment } from '/make.js';
import { counted } from './asking.js';
import { live } from './live.js';
import { lost } from './lost.js';

const FEW = 20;

// Those that never came stand among what could not be fetched.
async function load(wanted) {
  const { things, total } = await counted(`broken_links?state=neq.failed&order=broken_since.desc,link_id.asc&limit=${wanted}`);
  return { things: things.map((gone) => ({ ...gone, id: gone.link_id, link: { ...gone, id: gone.link_id } })), total };
}

export const gone = live(document.getElementById('gone'), load, lost(about), () => false, FEW);

function about({ message, broken_since, visited_at, has_article, state }) {
  const since = make('span', {}, 'gone since ', moment(broken_since)), last = make('span', {}, 'looked for ', moment(visited_at));
  return { wrong: message, facts: [since, last, has_article && 'the article is kept'], isTried: state === 'pending' };
}
