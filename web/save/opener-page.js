// The page that a bookmarklet hands over: the window that opened this one sends its HTML by a message. Only that window
// is heard, and only while it shows a page of the site that is to be saved.

import { READING_MESSAGES } from '../reader/reading-messages.js';
import { t } from '../shared/locale/translate.js';
import { failure } from '../shared/ui/messages.js';

/** What the bookmarklet waits for. */
const REQUEST = 'lectern:send-page';

/** The limit of rpc/save_page, in bytes. */
const MAX_BYTES = 10_485_760;

/** A page that stops its timers, or has left, does not answer. */
const WAIT_MS = 10_000;

/**
 * Asks the opener for its page.
 * @param {string} url of the page that is to be saved
 * @returns {Promise<{html: string, bytes: number}>}
 * @throws {Error} with a message for the user
 */
export async function receivePage(url) {
  // A site can forbid its windows to know each other (Cross-Origin-Opener-Policy).
  if (!opener || !URL.canParse(url)) throw Error(t('The site does not allow its page to be sent.'));
  const html = await messageFrom(opener, new URL(url).origin);
  const bytes = new TextEncoder().encode(html ?? '').length;
  if (!bytes || bytes > MAX_BYTES) throw failure(READING_MESSAGES.pageTooLarge);
  return { html, bytes };
}

function messageFrom(sender, origin) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(reject, Error(t('The page did not answer.'))), WAIT_MS);
    const onMessage = ({ source, origin: sent, data }) => {
      if (source !== sender || data?.type !== 'lectern:page') return;
      if (sent !== origin) end(reject, Error(t('The tab shows another site now.')));
      else end(resolve, typeof data.html === 'string' ? data.html : null);
    };
    const end = (settle, value) => {
      clearTimeout(timer);
      removeEventListener('message', onMessage);
      settle(value);
    };
    addEventListener('message', onMessage);
    // The request holds nothing secret, and the origin of the opener is not known before it answers.
    sender.postMessage(REQUEST, '*');
  });
}
