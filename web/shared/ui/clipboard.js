// Copying text.

import { t } from '../locale/translate.js';
import { createElement } from './elements.js';
import { MESSAGES, showMessage } from './messages.js';
import { showToast } from './toast.js';

/**
 * Copies a text and tells the user.
 * @param {string} text
 * @param {string} [done] what the user is told
 */
export async function copyText(text, done = t('Copied.')) {
  // Without TLS, browsers have no `navigator.clipboard`.
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false) || copyBySelecting(text);
  if (isCopied) showToast(done);
  else showMessage(MESSAGES.copyingNotAllowed);
}

function copyBySelecting(text) {
  const focused = document.activeElement;
  const field = createElement('textarea', { className: 'said', value: text });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  focused?.focus({ preventScroll: true });
  return isCopied;
}
