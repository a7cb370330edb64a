// The line below an article that may not be all of its page's, with a button that shows the whole page.

import { showWholePage } from '../../shared/links/article-versions.js';
import { t } from '../../shared/locale/translate.js';
import { busyWhile } from '../../shared/ui/busy-button.js';
import { createElement } from '../../shared/ui/elements.js';

/**
 * Sets up the line.
 * @param {HTMLElement} reader dispatches `article-shown` with `{link, article}` and `article-closed`
 * @param {(linkId: string) => Promise<void>} reopen loads an article again
 */
export function setUpWholePage(reader, reopen) {
  const button = createElement('button', { type: 'button', textContent: t('Show the whole page') });
  const text = createElement('span', { textContent: t('This may not be the whole article.') });
  const line = createElement('p', { className: 'may-be-part', hidden: true }, text, ' ', button);
  reader.querySelector('article > .body').after(line);
  let shown = null;

  button.onclick = busyWhile(async () => {
    const id = shown;
    await showWholePage(id).catch((error) => {
      throw error.status === 400 ? Error(t('The server has not kept this page. Open the original instead.')) : error;
    });
    // The link is pending now; its article is shown once the server has read the page.
    if (id === shown) await reopen(id);
  });
  reader.addEventListener('article-closed', () => {
    line.hidden = true;
    shown = null;
  });
  reader.addEventListener('article-shown', ({ detail: { link, article } }) => {
    shown = link.id;
    line.hidden = article.confidence !== 'low' || link.state !== 'ready';
  });
}
