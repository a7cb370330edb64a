// Files whose addresses need the access token, so that a link alone cannot open them.

import { t } from '../locale/translate.js';
import { createElement } from '../ui/elements.js';
import { failure, MESSAGES } from '../ui/messages.js';
import { serverURL } from './server.js';
import { freshToken } from './session.js';

/**
 * Downloads a file under the name that the server gives it.
 * @param {string} path
 * @param {import('../ui/messages.js').Message} missing where the server has no such file
 * @throws {Error} with a message for the user
 */
export async function download(path, missing) {
  const headers = { Authorization: `Bearer ${await freshToken()}` };
  const response = await fetch(serverURL(path), { headers }).catch(() => {
    throw failure(navigator.onLine ? MESSAGES.noResponse : MESSAGES.offline);
  });
  if (response.status === 404) throw failure(missing);
  if (!response.ok) throw Error(t('The server returned status {status}.', { status: String(response.status) }));
  const url = URL.createObjectURL(await response.blob());
  createElement('a', { href: url, download: nameOf(response.headers.get('Content-Disposition')) }).click();
  // The browser has opened the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// The name in UTF-8 (RFC 6266).
function nameOf(disposition) {
  const [, name] = disposition?.match(/filename\*=UTF-8''([^;]+)/) ?? [];
  return name ? decodeURIComponent(name) : '';
}
