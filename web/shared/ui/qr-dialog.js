// A dialog with a QR code, for another device that is to open an address.

import { authorizedRequest } from '../api/session.js';
import { t } from '../locale/translate.js';
import { createElement } from './elements.js';

/**
 * Shows a text as a QR code until the user closes it.
 * @param {string} name the heading
 * @param {string} text such as an address, at most 1,663 bytes
 * @throws {Error} with a message for the user
 */
export async function showQRCode(name, text) {
  const { svg } = await authorizedRequest('/functions/v1/qr-code', { method: 'POST', body: { text } });
  const image = createElement('img', {
    src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: t('QR code: {text}', { text }), width: 280, height: 280,
  });
  const close = createElement('button', { type: 'button', className: 'strong', textContent: t('Close'), autofocus: true });
  const dialog = createElement('dialog', { className: 'qr-code', ariaLabel: name },
    createElement('h2', {}, name), image, createElement('p', { className: 'hint', dir: 'ltr' }, text), close);
  close.onclick = () => dialog.close();
  document.body.append(dialog);
  dialog.showModal();
  // The address may contain a secret.
  dialog.onclose = () => dialog.remove();
}
