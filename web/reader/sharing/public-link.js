// The public link of an article: everyone who has it can read the article, without an account.

import { serverAddress } from '../../shared/api/server.js';
import { authorizedRequest, restRequest } from '../../shared/api/session.js';
import { t } from '../../shared/locale/translate.js';
import { busyWhile } from '../../shared/ui/busy-button.js';
import { copyText } from '../../shared/ui/clipboard.js';
import { createElement } from '../../shared/ui/elements.js';
import { showToast } from '../../shared/ui/toast.js';

/**
 * @param {string} token of a row of `shares`
 * @returns {string} the address of the page
 */
export function publicAddress(token) {
  return `${serverAddress()}/public/${token}`;
}

/**
 * Ends the sharing of an article.
 * @param {string} link its id
 */
export async function stopSharing(link) {
  await restRequest('rpc/unshare_link', { method: 'POST', body: { link } });
  showToast(t('The article is no longer shared.'));
}

/**
 * Shares an article and shows its link until the user closes the dialog.
 * @param {string} link its id
 * @throws {Error} with a message for the user
 */
export async function showPublicLink(link) {
  const [{ token }] = await restRequest('rpc/share_link', { method: 'POST', body: { link } });
  const address = publicAddress(token);
  const { svg } = await authorizedRequest('/functions/v1/qr-code', { method: 'POST', body: { text: address } });
  const name = t('Public link');
  const dialog = createElement('dialog', { className: 'qr-code public-link', ariaLabel: name },
    createElement('h2', {}, name),
    createElement('p', { className: 'hint' },
      t('Everyone with this link can read the article, without an account. Search engines are asked not to list it.')),
    createElement('img', {
      src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: t('QR code: {text}', { text: address }),
      width: 280, height: 280,
    }),
    createElement('p', { className: 'hint', dir: 'ltr' }, createElement('a', { href: address }, address)),
    createElement('div', { className: 'buttons' },
      createElement('button', { type: 'button', textContent: t('Copy'), onclick: () => copyText(address) }),
      createElement('button', {
        type: 'button', textContent: t('Stop sharing'),
        onclick: busyWhile(async () => {
          await stopSharing(link);
          dialog.close();
        }),
      }),
      createElement('button', {
        type: 'button', className: 'strong', textContent: t('Close'), autofocus: true, onclick: () => dialog.close(),
      })));
  document.body.append(dialog);
  dialog.showModal();
  dialog.onclose = () => dialog.remove();
}
