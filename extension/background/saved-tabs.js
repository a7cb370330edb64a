// Saves the page of a tab, and a copy of the page as it looks if one is wanted.

import { COPY_PROBLEMS, copyText } from '../shared/texts.js';
import { t } from '../shared/words.js';
import { copyPage } from './copying.js';
import { noteOutcome, outcomeOf } from './outcomes.js';
import { edit, savePageOfTab } from './saving.js';
import { failure } from './server.js';
import { note, readSettings } from './storage.js';

/**
 * Saves the page of a tab, and then a copy of it if the settings want one.
 * @param {{id?: number, url: string, title?: string}} tab
 * @param {import('../shared/policy.js').Policy} [policy] instead of the one that the settings name
 * @param {import('./queue-store.js').Change[]} [changes]
 * @returns {Promise<import('./saving.js').Saved>}
 */
export async function saveTab(tab, policy, changes) {
  const [saved, { copies }] = await Promise.all([savePageOfTab(tab, policy, changes), readSettings()]);
  if (copies && tab.id !== undefined) keepCopy({ key: saved.key, linkId: saved.link?.id, tab });
  return saved;
}

/**
 * Takes a copy of a page that is saved, and sends it or has it wait with the page. Never fails: the outcome tells.
 * @param {{key: string, linkId?: string, tab: {id: number, url: string, title?: string}}} values
 */
export async function keepCopy({ key, linkId, tab }) {
  noteOutcome(key, { copy: { isBusy: true } });
  try {
    const { html, missing, problem } = await copyPage(tab.id);
    if (problem) throw failure('refused', COPY_PROBLEMS[problem]);
    if (outcomeOf(key).isUndone) return;
    const page = new Blob([html], { type: 'text/html' });
    // Later saves of the page may have replaced the entry; the link is the same.
    await edit(key, linkId ?? outcomeOf(key).link?.id, [{ kind: 'copy', page }], tab);
    noteOutcome(key, { copy: { text: copyText(page.size, missing) } });
  } catch (error) {
    const waits = error.kind === 'unreachable' || error.kind === 'signed-out';
    noteOutcome(key, { copy: { text: waits ? t('The copy of the page is sent later.') : error.message } });
    await note(t('The copy of {url}: {message}', { url: tab.url, message: error.message }));
  }
}
