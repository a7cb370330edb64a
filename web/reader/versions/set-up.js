// The choice between two versions of an article, once its page was fetched again.

import {
  fetchFormerArticle, isWholePage, keepCurrentArticle, restoreArticle, wasRenewed,
} from '../../shared/links/article-versions.js';
import { t } from '../../shared/locale/translate.js';
import { busyWhile } from '../../shared/ui/busy-button.js';
import { createElement } from '../../shared/ui/elements.js';
import { showError, showToast } from '../../shared/ui/toast.js';

/**
 * Sets up the choice.
 * @param {HTMLElement} reader dispatches `article-shown` with `{link, article}` and `article-closed`
 * @param {(linkId: string) => Promise<void>} reopen loads an article again
 */
export function setUpVersions(reader, reopen) {
  const text = createElement('p', { role: 'status' });
  const keep = createElement('button', { type: 'button', textContent: t('Keep the new version') });
  const restore = createElement('button', { type: 'button', textContent: t('Restore the previous version') });
  const bar = createElement('div', { className: 'versions', hidden: true }, text, keep, restore);
  reader.querySelector('article > header').after(bar);
  let shown = null;

  keep.onclick = busyWhile(async () => {
    await keepCurrentArticle(shown);
    bar.hidden = true;
  });
  restore.onclick = busyWhile(async () => {
    const id = shown;
    await exchange(id);
    showToast(t('The previous version is back.'), () => exchange(id).catch(showError));
  });

  async function exchange(id) {
    await restoreArticle(id);
    await reopen(id);
  }

  async function offer({ id, word_count: words }) {
    const isWhole = isWholePage(id);
    const former = await fetchFormerArticle(id);
    if (!former || former.is_restored || former.is_same) await keepCurrentArticle(id);
    if (former?.is_same) showToast(t('The text has not changed.'));
    if (id !== shown || !former || former.is_restored || former.is_same) return;
    const counts = { n: words, before: former.word_count };
    text.textContent = isWhole
      ? t('This is the whole page. It has {n} word, and the previous text had {before}.|'
        + 'This is the whole page. It has {n} words, and the previous text had {before}.', counts)
      : t('This page was fetched again. Its text has {n} word now, and had {before}.|'
        + 'This page was fetched again. Its text has {n} words now, and had {before}.', counts);
    bar.hidden = false;
  }

  reader.addEventListener('article-closed', () => {
    bar.hidden = true;
    shown = null;
  });
  reader.addEventListener('article-shown', ({ detail: { link } }) => {
    bar.hidden = true;
    shown = link.id;
    // Without a network, the choice waits.
    if (link.state === 'ready' && wasRenewed(link.id)) offer(link).catch(() => {});
  });
}
