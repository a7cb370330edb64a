// A box that shows a secret once, for copying.

import { t } from '../shared/locale/translate.js';

/**
 * Shows a secret.
 * @param {HTMLElement} box with an `h3`, an input and a button `[data-copy]`
 * @param {string} secret
 * @param {HTMLButtonElement} closeButton hides the box and removes the secret from the page
 */
export function showSecret(box, secret, closeButton) {
  const field = box.querySelector('input');
  const copyButton = box.querySelector('[data-copy]');
  field.value = secret;
  copyButton.textContent = t('Copy');
  copyButton.onclick = async () => {
    copyButton.textContent = await copyFrom(field) ? t('Copied') : t('Press Ctrl+C');
  };
  closeButton.onclick = () => {
    field.value = '';
    box.hidden = true;
    box.closest('section').querySelector('h2').focus();
  };
  box.hidden = false;
  box.querySelector('h3').focus();
}

// Browsers offer the clipboard API to pages served over HTTPS only; execCommand works on the others.
async function copyFrom(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
