// The texts of a link: title, host, facts and state. A link is a row of the relation `links`.

import { joinFacts, reasonText, t } from '../locale/translate.js';

/** Reading speed for links without an estimate of the server, in words a minute. */
const WORDS_PER_MINUTE = 200;

/** Titles inside a sentence are cut after this many UTF-16 units; a title can be a URL of 64 kB. */
const SHORT_TITLE_LENGTH = 80;

/** HTML character references in values that clients have stored. */
const REFERENCE = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);?/gi;

/** @typedef {Record<string, any>} Link a row of the relation `links` */

/**
 * Returns whether the link is a file that the user has sent. It has no address; its site is the name of the file.
 * @param {Link} link
 * @returns {boolean}
 */
export function isDocument({ raw_url }) {
  return !!raw_url?.startsWith('urn:sha256:');
}

/**
 * Returns the URL of the page: where the saved URL led to, once that is known.
 * @param {Link} link
 * @returns {string}
 */
export function linkURL(link) {
  return link.resolved_url ?? link.raw_url;
}

/**
 * Returns the title, or the URL without scheme and `www.` when there is no title; of a file its name.
 * @param {Link} link
 * @returns {string}
 */
export function linkTitle(link) {
  return displayText(link.title, link.title_is_text) || bareURL(link);
}

/**
 * Returns the title, cut to fit into a sentence.
 * @param {Link} link
 * @returns {string}
 */
export function shortLinkTitle(link) {
  const title = linkTitle(link);
  return title.length > SHORT_TITLE_LENGTH ? `${title.slice(0, SHORT_TITLE_LENGTH)}…` : title;
}

/**
 * Returns the host of the page without `www.`, or the name of a file.
 * @param {Link} link
 * @returns {string}
 */
export function linkHost(link) {
  if (isDocument(link)) return link.site_name || t('File');
  return bareURL(link).replace(/[/?#:].*/, '');
}

/**
 * Returns one line of facts, separated by middle dots: the given ones, then the reading time.
 * @param {{reading_time?: number | null, word_count?: number | null}} row a link or an article; minutes and
 *   words
 * @param {...(string | null | undefined)} facts empty ones are left out
 * @returns {string}
 */
export function linkFacts({ reading_time, word_count }, ...facts) {
  const minutes = reading_time ?? (word_count && Math.ceil(word_count / WORDS_PER_MINUTE));
  return joinFacts([...facts, minutes && t('{minutes} min', { minutes })]);
}

/**
 * Returns the text of the link's status line: the reason of a failure, and whether the page is being fetched.
 * @param {Link} link
 * @returns {string}
 */
export function linkStatus(link) {
  const { state, reason, reason_message } = link;
  const work = isDocument(link) ? t('Reading the file…') : t('Fetching the page…');
  const parts = [reasonText(reason, reason_message), state === 'pending' && work].filter(Boolean);
  return parts.join(' ') || t('No article was found on this page.');
}

function bareURL(link) {
  if (isDocument(link)) return linkHost(link);
  return linkURL(link).replace(/^https?:\/\/(www\.)?|\/$/g, '');
}

// A textarea outside the document: the browser's own decoder, and it never creates elements.
let decoder;

/**
 * Returns a value as it is to be shown.
 * @param {string | null | undefined} value
 * @param {boolean} isText whether the value is plain text, without character references
 * @returns {string}
 */
export function displayText(value, isText) {
  if (!value) return '';
  return isText ? value : value.replace(REFERENCE, decodeReference);
}

// The pattern admits `&`, letters, digits, `#` and `;`, so the reference cannot contain markup.
function decodeReference(reference) {
  decoder ??= document.createElement('textarea');
  decoder.innerHTML = reference;
  return decoder.textContent;
}
