// Downloading the book of an article. Its address needs the access token, so a link alone cannot open it.

import { READING_MESSAGES } from '../reader/reading-messages.js';
import { freshToken } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';
import { createElement } from '../shared/ui/elements.js';
import { failure, MESSAGES } from '../shared/ui/messages.js';

/**
 * Downloads the book of a link under the name that the server gives it.
 * @param {string} id
 * @throws {Error} with a message for the user
 */
export async function downloadBook(id) {
  const headers = { Authorization: `Bearer ${await freshToken()}` };
  const response = await fetch(`/books/${id}.epub`, { headers }).catch(() => {
    throw failure(navigator.onLine ? MESSAGES.noResponse : MESSAGES.offline);
  });
  if (response.status === 404) throw failure(READING_MESSAGES.bookMissing);
  if (!response.ok) throw Error(t('The server returned status {status}.', { status: String(response.status) }));
  const url = URL.createObjectURL(await response.blob());
  createElement('a', { href: url, download: nameOf(response.headers.get('Content-Disposition')) }).click();
  // The browser has opened the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// The name in UTF-8 (RFC 6266).
function nameOf(disposition) {
  const [, name] = disposition?.match(/filename\*=UTF-8''([^;]+)/) ?? [];
  return name ? decodeURIComponent(name) : 'article.epub';
}
