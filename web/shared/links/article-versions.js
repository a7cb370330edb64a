// Articles that are fetched again, whose former text the user can put back, and reports of those that look wrong.

import { restRequest } from '../api/session.js';
import { SELECT } from './link-requests.js';

const storageKey = (linkId) => `renewed:${linkId}`;

/**
 * Fetches the page of a link again. The server keeps the article that it replaces, and this browser remembers to ask
 * about it.
 * @param {string} linkId
 * @returns {Promise<import('./link-text.js').Link>} the link, which is pending
 */
export async function renewArticle(linkId) {
  const [link] = await restRequest(`rpc/renew_article?${SELECT}`, { method: 'POST', body: { link: linkId } });
  localStorage.setItem(storageKey(linkId), '1');
  return link;
}

/**
 * Makes all of the page of a link its article. The server keeps the article that it replaces, and this browser remembers
 * to ask about it.
 * @param {string} linkId
 */
export async function showWholePage(linkId) {
  await callFunction('show_whole_page', { link: linkId });
  localStorage.setItem(storageKey(linkId), 'whole');
}

/**
 * @param {string} linkId
 * @returns {boolean} whether the user has asked for the whole page in this browser and has chosen nothing since
 */
export function isWholePage(linkId) {
  return localStorage.getItem(storageKey(linkId)) === 'whole';
}

/**
 * @param {string} linkId
 * @returns {boolean} whether the link was fetched again in this browser and nothing was chosen since
 */
export function wasRenewed(linkId) {
  return localStorage.getItem(storageKey(linkId)) !== null;
}

/**
 * Fetches what is known of the article that was replaced.
 * @param {string} linkId
 * @returns {Promise<{word_count: number, is_same: boolean, is_restored: boolean} | null>}
 */
export function fetchFormerArticle(linkId) {
  return callFunction('former_article', { link: linkId });
}

/**
 * Exchanges the article with the one that was replaced.
 * @param {string} linkId
 */
export async function restoreArticle(linkId) {
  await callFunction('restore_article', { link: linkId });
  localStorage.removeItem(storageKey(linkId));
}

/**
 * Keeps the article as it is. The other one is deleted.
 * @param {string} linkId
 */
export async function keepCurrentArticle(linkId) {
  await callFunction('keep_article', { link: linkId });
  localStorage.removeItem(storageKey(linkId));
}

/**
 * Reports that the article of a link looks wrong.
 * @param {string} linkId
 * @param {string} note
 * @returns {Promise<{has_page: boolean}>} whether the server still had the page
 */
export function reportArticle(linkId, note) {
  return callFunction('report_article', { link: linkId, note });
}

/**
 * Takes a report back.
 * @param {string} linkId
 */
export async function withdrawReport(linkId) {
  await callFunction('withdraw_report', { link: linkId });
}

function callFunction(name, body) {
  return restRequest(`rpc/${name}`, { method: 'POST', body });
}
