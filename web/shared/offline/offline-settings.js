// What this browser keeps for use without a network. The settings belong to this browser.

const KEY = 'offline-settings';

/** The articles that the user has opened last are kept as well. */
export const OPENED_ARTICLES = 100;

/** Links that are kept beside those with a kept article, so that the lists go on further. */
export const FURTHER_LINKS = 400;

/** Articles are fetched for as long as all of them together have fewer characters. */
export const MAX_CHARACTERS = 50_000_000;

/**
 * @typedef {object} OfflineSettings
 * @property {number} articles how many of the newest unread articles are fetched and kept
 * @property {boolean} pictures whether their pictures are fetched, too
 */

/** @type {OfflineSettings} */
const DEFAULTS = { articles: 200, pictures: true };

/** @returns {OfflineSettings} */
export function offlineSettings() {
  return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY)) };
}

/** @param {Partial<OfflineSettings>} settings */
export function changeOfflineSettings(settings) {
  localStorage.setItem(KEY, JSON.stringify({ ...offlineSettings(), ...settings }));
}
