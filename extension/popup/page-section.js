// What the popup says of the page itself, and when pages of this site are sent.

import { ask } from '../shared/ask.js';
import { POLICIES, policyFor, siteOf, withSite } from '../shared/policy.js';
import { sourceText } from '../shared/texts.js';
import { LOOK_PAUSES_MS } from '../shared/timing.js';
import { language, t } from '../shared/words.js';

const outcome = document.getElementById('outcome');
const policy = document.getElementById('policy');
const sendPage = document.getElementById('send-page');
const copyOutcome = document.getElementById('copy-outcome');

/**
 * @param {string} url of the tab
 * @param {(policy: string) => Promise<void>} send sends the page now
 * @param {() => Promise<void>} copy keeps a copy of the page
 */
export async function setUpPage(url, send, copy) {
  const site = siteOf(url);
  policy.replaceChildren(...Object.entries(POLICIES).map(([value, text]) => new Option(text, value)));
  sendPage.onclick = () => send('always');
  document.getElementById('keep-copy').onclick = copy;
  policy.onchange = async () => {
    const { sites = {} } = await ask('settings');
    await ask('change-settings', { changes: { sites: withSite(sites, site, policy.value) } });
  };
  policy.value = policyFor(url, await ask('settings'));
}

/** The watch in progress; a later one ends it. */
let watch = 0;

/**
 * Says what becomes of the page until the server has read it.
 * @param {{key: string, linkId?: string}} saved
 */
export async function watchOutcome({ key, linkId }) {
  const current = ++watch;
  outcome.textContent = '';
  for (const pause of [...LOOK_PAUSES_MS, 0]) {
    const found = await ask('outcome', { key, linkId }).catch(() => null);
    if (current !== watch || !found) return;
    const text = await textOf(found);
    if (current !== watch) return;
    outcome.textContent = text;
    copyOutcome.textContent = found.copy?.isBusy ? t('A copy of the page is being made…') : found.copy?.text ?? '';
    if (!found.isBusy && !found.copy?.isBusy) return;
    await new Promise((resolve) => { setTimeout(resolve, pause); });
    if (current !== watch) return;
  }
}

async function textOf({ problem, isTaking, isBusy, article, state, reason, message }) {
  if (problem) return problem;
  if (isTaking && state) return t('Reading the page in the browser…');
  if (isBusy || !state) return state ? t('The server is reading the page…') : '';
  if (article) return sourceText(article);
  return await reasonText(reason) ?? message ?? t('The server found no article on this page.');
}

// The server says more, but in English. The module is missing in a folder whose link to the web app is not followed.
async function reasonText(reason) {
  if (language === 'en') return null;
  const found = await import('../web/shared/locale/reasons.js').catch(() => null);
  const name = found?.reasonNames(t)[reason];
  return name ? `${name}.` : null;
}
