// What the server says about a site, a feed or the receiver of a webhook, and about books that it makes and sends.

import { t } from '../locale/translate.js';

// What a status of HTTP says, where it says more than that there was an error.
const STATUSES = {
  401: (values) => t('The site requires you to sign in (status {status}).', values),
  402: (values) => t('The site requires a payment (status {status}).', values),
  403: (values) => t('The site denies access (status {status}).', values),
  404: (values) => t('The site has no such page (status {status}).', values),
  410: (values) => t('The site has removed the page (status {status}).', values),
  429: (values) => t('The site received too many requests (status {status}).', values),
  451: (values) => t('The site does not show the page for legal reasons (status {status}).', values),
  503: (values) => t('The site is temporarily unavailable (status {status}).', values),
};

/** As in error-texts.js. */
export const SITE_MESSAGES = [
  // Feeds
  [/^The feed could not be stored/, () => t('The feed could not be stored.')],
  [/^The feed is cut off or broken/, () => t('The feed is incomplete or invalid. It has no entries.')],
  [/^The address leads to a file that is not a feed/, () => t('The address leads to a file that is not a feed.')],
  [/^The address leads to a web page that names no feed/, () =>
    t('This page does not link to a feed. Enter the address of the feed itself.')],
  [/^The address leads to a web page, and you have the feed/, () =>
    t('This page links to a feed that you already have.')],
  [/^This is not an OPML file/, () => t('This is not an OPML file.')],
  [/^A tag has 1 to 100 characters/, () => t('A tag must have 1 to 100 characters.')],
  [/^A word of a filter has 1 to 200 characters/, () => t('A word of a filter must have 1 to 200 characters.')],
  // Responses
  [/^The site .+ \(status (?<status>\d+)\)\.$/, (values) =>
    STATUSES[values.status]?.(values) ?? t('The site answered with an error (status {status}).', values)],
  [/^The receiver answered (?<status>\d+)/, (values) => t('The receiver answered with the status {status}.', values)],
  [/^The site (?:did not answer in time|took longer than|sent nothing for)/, () =>
    t('The site did not answer in time.')],
  [/^The (?:site could not be reached|connection to the site was lost|fetcher stopped|proxy )|^There is no site/, () =>
    t('The site could not be reached.')],
  [/^The site's certificate/, () => t('The certificate of the site is not valid.')],
  [/^A secure connection/, () => t('A secure connection to the site could not be made.')],
  [/^The (?:site's response(?: is| headers are)|\w+ is) larger than/, () =>
    t('The response of the site is too large.')],
  [/^The page's compression|^The site compressed/, () => t('The response of the site could not be decompressed.')],
  [/^The site sent a redirect|^The site redirects|^The address redirected/, () =>
    t('The redirects of the site do not lead to a page.')],
  [/^The site's response is|^The site closed|^The page ended/, () =>
    t('The response of the site is invalid or incomplete.')],
  [/^The address leads to a file \(/, () => t('The address leads to a file, not to a web page.')],
  [/^Only http and https addresses/, () => t('This is not a web address.')],
  // Books, and mails that bring them
  [/^The server failed to make the book/, () => t('The server failed to make the book. Make it again later.')],
  [/^None of its articles exists/, () => t('None of its articles exists any more.')],
  [/^The book was deleted before/, () => t('The book was deleted before it was sent.')],
  [/^The book could not be made/, () => t('The book could not be made.')],
  [/^There is no such book/, () => t('There is no such book.')],
  [/^This server sends no mail/, () =>
    t('This server is not set up to send email. Ask its admin to set LECTERN_SMTP_URL.')],
  [/^The mail server refused it/, () => t('The mail server refused it. Check the address of your e-reader.')],
  [/^The mail server cannot send to/, () =>
    t('The mail server supports only ASCII characters in addresses. Use another address.')],
  [/^The mail server could not take it yet/, () =>
    t('The mail server has not accepted it yet. Lectern tries again within the hour.')],
  [/^The account was changed before/, () => t('The account was changed before the email was sent.')],
  [/^(?:It could not be sent|The mail server could not take it) within/, () => t('It could not be sent within a day.')],
];
