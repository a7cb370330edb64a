// Passing the open article on: the buttons that "More actions" has for an article, beside those for any link.

import { linkURL } from '../../shared/links/link-text.js';
import { t } from '../../shared/locale/translate.js';
import { busyWhile } from '../../shared/ui/busy-button.js';
import { createElement } from '../../shared/ui/elements.js';
import { showMessage } from '../../shared/ui/messages.js';
import { READING_MESSAGES } from '../reading-messages.js';

/**
 * Sets up the buttons.
 * @param {HTMLElement} reader dispatches `article-shown` with `{link}`
 * @param {HTMLDialogElement} dialog "More actions"
 */
export function setUpSharing(reader, dialog) {
  let shown = null;
  const publish = createElement('button', { type: 'button', className: 'in-reader', textContent: t('Public link') });
  publish.onclick = busyWhile(async () => {
    dialog.close();
    const { showPublicLink } = await import('./public-link.js');
    await showPublicLink(shown.id);
  });
  dialog.querySelector('.copy').after(publish);
  reader.addEventListener('article-shown', ({ detail: { link } }) => { shown = link; });
  if (!navigator.share) return;
  const button = createElement('button', { type: 'button', className: 'in-reader', textContent: t('Share') });
  button.onclick = () => {
    dialog.close();
    share({ title: reader.querySelector('h1').textContent, url: linkURL(shown) });
  };
  dialog.querySelector('.copy').after(button);
  reader.addEventListener('article-shown', ({ detail: { link } }) => {
    button.disabled = !/^https?:/i.test(linkURL(link));
  });
}

async function share(data) {
  try {
    await navigator.share(data);
  } catch (error) {
    // The user has closed the sheet.
    if (error.name !== 'AbortError') showMessage(READING_MESSAGES.notShared);
  }
}
