// Why jobs were given up, each reason with how many there are, to choose among them.
import { number } from '/numbers.js';
import { counted } from './asking.js';
import { look } from './looking.js';

const select = document.getElementById('reason'), label = select.closest('label'), frame = select.closest('.choose');
const WORDS = {
  http_error: 'The site answered with an error', timeout: 'The site was too slow', connection_failed: 'The site could not be reached',
  dns_error: 'The site was not found', bad_response: 'The answer made no sense', bad_encoding: 'The answer could not be unpacked',
  too_large: 'Too large', too_many_redirects: 'Too many redirects', blocked_address: 'An address that is not fetched',
  blocked_scheme: 'No web address', invalid_url: 'No web address that works', not_html: 'No web page', no_article: 'No article',
  consent_wall: 'The site asks for consent', login_wall: 'The site asks to sign in', bot_challenge: 'The site wants proof of a person',
  over_budget: 'Too large or too tangled', reader_crashed: 'It could not be read', not_read: 'It could not be read again',
  not_stored: 'It could not be stored', interrupted: 'The server was interrupted', storage_quota: 'No room left', cancelled: 'Taken out of the queue',
};
const ALL = '', NONE = 'is.null';
let total = -1;

select.onchange = look;

/** The condition for the reason that is chosen. */
export const narrowed = () => select.value === ALL ? '' : `&reason=${encodeURIComponent(select.value)}`;

/** Brings the choice up to date: when there are more or fewer jobs than last time, and while something is chosen. */
export async function choice(jobs) {
  const { total: now } = await counted(`${jobs}&select=id&limit=0`);
  frame.hidden = !now;
  if (now === total && select.value === ALL) return;
  const counts = await countsOf(jobs, now);
  total = now;
  offer(counts);
}

// The service counts, and does not group: from one reason to the next, how many are left tells how many it had.
async function countsOf(jobs, all) {
  const counts = new Map();
  let { things: [next], total: left } = await counted(`${jobs}&reason=not.is.null&select=reason&order=reason&limit=1`);
  if (all > left) counts.set(NONE, all - left);
  while (next) {
    const after = await counted(`${jobs}&reason=gt.${encodeURIComponent(next.reason)}&select=reason&order=reason&limit=1`);
    counts.set(`eq.${next.reason}`, Math.max(left - after.total, 1));
    ({ things: [next], total: left } = after);
  }
  return new Map([[ALL, all], ...counts]);
}

// Options stay while they are looked at. A reason that nothing has any more cannot stay chosen.
function offer(counts) {
  for (const option of [...select.options]) if (!counts.has(option.value)) option.remove();
  for (const [value, count] of counts) {
    const option = [...select.options].find((one) => one.value === value) ?? select.appendChild(new Option('', value));
    option.textContent = `${nameOf(value)} (${number(count)})`;
  }
  label.hidden = counts.size < 3;  // of one reason, all and that are the same
}

function nameOf(value) {
  if (value === ALL) return 'All';
  const reason = value.replace('eq.', '');
  return value === NONE ? 'Something else' : WORDS[reason] ?? reason.replaceAll('_', ' ');
}
