// The focus mode: only the text of the open article, without tools and bars. Escape and a button leave it.

import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { loadStyles } from '../../shared/ui/styles.js';
import { showToast } from '../../shared/ui/toast.js';

/**
 * Sets up the focus mode.
 * @param {HTMLElement} reader dispatches `article-closed`
 * @param {HTMLDialogElement} dialog "More actions", which has a button for it
 */
export function setUpFocus(reader, dialog) {
  const { dataset } = document.documentElement;
  const enter = createElement('button', {
    type: 'button', className: 'in-reader', textContent: t('Focus mode'), title: `${t('Focus mode')} (f)`,
  });
  const leave = createElement('button', {
    type: 'button', className: 'leave-focus', ariaLabel: t('Leave focus mode'), title: `${t('Leave focus mode')} (Esc)`,
    textContent: '✕', hidden: true,
  });

  async function change(isOn) {
    if (isOn) await loadStyles('/reader/focus/focus.css');
    if (isOn) dataset.focus = 'on';
    else delete dataset.focus;
    leave.hidden = !isOn;
    // The button that had the focus is not there any more.
    reader.querySelector('h1').focus({ preventScroll: true });
  }

  enter.onclick = async () => {
    dialog.close();
    await change(true);
    showToast(t('Press Esc to leave the focus mode.'));
  };
  leave.onclick = () => change(false);
  dialog.querySelector('.copy').parentNode.append(enter);
  reader.append(leave);

  // Before the page's own shortcuts: here, Escape does not leave the article.
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.matches('input, textarea, select, [contenteditable]');
    const isOff = reader.hidden || document.querySelector('dialog[open], :popover-open');
    if (event.defaultPrevented || isOff || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'f') change(!dataset.focus);
    else if (event.key === 'Escape' && dataset.focus) change(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  reader.addEventListener('article-closed', () => {
    const isNextOpened = location.hash.startsWith('#/link/');
    if (dataset.focus && !isNextOpened) change(false);
  });
}
