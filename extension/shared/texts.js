// Texts that the popup and the notes of the log share. This module does not use the DOM.

import { locale as ownLocale, t } from './words.js';

/**
 * Returns a day as it is said in a sentence; the year only if it is not this one.
 * @param {string} time ISO 8601
 * @param {Date} now
 * @param {string} [locale]
 * @returns {string}
 */
export function formatDay(time, now, locale = ownLocale) {
  const day = new Date(time);
  const year = day.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' };
  return day.toLocaleDateString(locale, { day: 'numeric', month: 'long', ...year });
}

/**
 * Returns the title of a page. Browsers show the address, or a part of it, for a page without one, such as a text or a
 * PDF file; the server then finds a better title.
 * @param {string} title of the tab
 * @param {string} url
 * @returns {string} empty if it is the address, with or without its protocol, path and query, or the name of its file
 */
export function ownTitle(title, url) {
  let shown = url;
  try {
    shown = decodeURI(url);
  } catch {
    // An address that is not UTF-8 is shown as it is.
  }
  const parts = [url, shown].flatMap((address) => {
    const bare = address.replace(/^[a-z]+:\/+/i, '');
    return [address, bare, bare.replace(/[?#].*/s, ''), bare.replace(/[/?#].*/s, ''), /[^/]*\.\w+$/.exec(bare)?.[0]];
  });
  return parts.includes(title) ? '' : title.slice(0, 1000);
}

/**
 * Returns what is said once a page is saved.
 * @param {{created_at: string, updated_at: string, status: string, list: string} | null} link null while it waits
 * @param {Date} now
 * @param {string} [locale]
 * @returns {string}
 */
export function savedText(link, now, locale) {
  if (!link) return t('Saved on this device. It is sent when the server can be reached.');
  // A token that may only save is told neither times nor status.
  if (!link.created_at || isNew(link)) return t('Saved.');
  const day = formatDay(link.created_at, now, locale);
  const isRead = link.status === 'read';
  if (link.list === 'archive') {
    return isRead ? t('Saved on {day}, read, in the archive. Moved to the top.', { day })
      : t('Saved on {day}, unread, in the archive. Moved to the top.', { day });
  }
  return isRead ? t('Saved on {day}, read. Moved to the top.', { day })
    : t('Saved on {day}, unread. Moved to the top.', { day });
}

/**
 * Returns what is said once all tabs of a window are saved.
 * @param {number} count of tabs
 * @param {{waiting: number, refused: number}} left how many could not be sent yet, and how many the server refused
 * @returns {string}
 */
export function tabsText(count, { waiting, refused }) {
  return [
    t('Saved {n} tab.|Saved {n} tabs.', { n: count }),
    waiting && t('{n} of them waits until the server can be reached.|{n} of them wait until the server can be reached.',
      { n: waiting }),
    refused && t('The server refused {n} of them: see the options.', { n: refused }),
  ].filter(Boolean).join(' ');
}

/**
 * Returns whether a link that was just saved is new: saving a page again changes only the second time.
 * @param {{created_at?: string, updated_at?: string}} link
 * @returns {boolean}
 */
export function isNew({ created_at, updated_at }) {
  return Boolean(created_at) && created_at === updated_at;
}

const SOURCES = {
  client: t('The article comes from the page in your browser.'),
  server: t('The article comes from the page that the server fetched.'),
};
const REASONS = {
  only: t('The other version has no article.'),
  whole: t('The other version has only the beginning.'),
  longer: t('The other version is shorter.'),
};

/**
 * Returns which of two pages became the article, and why.
 * @param {{source: string, source_reason: string | null}} article
 * @returns {string}
 */
export function sourceText({ source, source_reason: reason }) {
  return [SOURCES[source], REASONS[reason]].filter(Boolean).join(' ');
}

/**
 * Returns what is said once the reading list or bookmarks of the browser are imported.
 * @param {number} count of pages
 * @param {number} known how many of them were saved before
 * @returns {string}
 */
export function importText(count, known) {
  if (!count) return t('There is nothing to import.');
  const added = t('Imported {n} new link.|Imported {n} new links.', { n: count - known });
  return known ? `${added} ${t('{n} was saved before.|{n} were saved before.', { n: known })}` : added;
}

/**
 * Returns what is said of a copy that is kept.
 * @param {number} bytes
 * @param {number} missing how many pictures, fonts and style sheets it lacks
 * @returns {string}
 */
export function copyText(bytes, missing) {
  const kept = bytes < 1_000_000 ? t('A copy of the page is kept ({size} kB).', { size: Math.ceil(bytes / 1000) })
    : t('A copy of the page is kept ({size} MB).', { size: Math.round(bytes / 100_000) / 10 });
  if (!missing) return kept;
  return `${kept} ${t('{n} picture or style is missing.|{n} pictures or styles are missing.', { n: missing })}`;
}

/** Why no copy of a page could be kept. */
export const COPY_PROBLEMS = {
  browser: t('The browser does not let extensions read this page, so no copy is kept.'),
  document: t('This is not an HTML page, so no copy is kept.'),
  silent: t('The page did not answer in time, so no copy is kept.'),
  tooLarge: t('The page has more than 10 MB without its pictures, so no copy is kept.'),
};

/** Why a page, or a part of it, could not be sent. The link is saved all the same. */
export const PAGE_PROBLEMS = {
  browser: t('The browser does not let extensions read this page, so only its address was saved.'),
  document: t('This is not an HTML page, so only its address was saved. The server fetches the file itself.'),
  local: t('Your server cannot reach files on this device, so only the address was saved. Drop the file on your list.'),
  silent: t('The page did not answer in time, so only its address was saved.'),
  truncated: t('The page has more than 10 MB, so only its first part was sent.'),
  unsupported: t('The server is too old to accept pages, so only the address was saved. Ask its admin to update it.'),
  refused: t('The server does not accept a page of this size, so only the address was saved.'),
};
