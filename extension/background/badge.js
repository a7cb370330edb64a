// The badge on the button for pages that are saved. Off until it is switched on, because it tells the server a hash of
// each address that is visited. Needs the permission `tabs`, which is asked for then.

import { t } from '../shared/words.js';
import { failure, rest } from './server.js';
import { changeSettings, readSettings } from './storage.js';

const SIGN = '✓';

/** Answers are kept this long, in milliseconds, and this many of them. */
const KEPT_MS = 60_000;
const MAX_KEPT = 200;

/** Promises of answers by hash. */
const answers = new Map();

/**
 * Switches the badge on or off.
 * @param {boolean} isWanted
 */
export async function switchBadge(isWanted) {
  if (isWanted) {
    await rest('rpc/saved', { method: 'POST', body: { hashes: [] } }).catch((error) => {
      if (error.kind !== 'missing') throw error;
      throw failure('missing', t('The server is too old to say which pages are saved. Ask its admin to update it.'));
    });
  }
  await changeSettings({ badge: isWanted });
  await showBadges();
}

async function showBadges() {
  const tabs = await chrome.tabs.query({ active: true });
  await Promise.all(tabs.map(showBadge));
}

/**
 * Shows whether the page of a tab is saved.
 * @param {{id: number, url?: string}} tab its address is known only with the permission `tabs`
 */
export async function showBadge({ id, url }) {
  const { badge } = await readSettings();
  const isSaved = badge && /^https?:/.test(url ?? '') && await askSaved(url);
  // The tab may be gone by now.
  await chrome.action.setBadgeText({ tabId: id, text: isSaved ? SIGN : '' }).catch(() => {});
}

/** Asks again, because a page was just saved or deleted. */
export async function refreshBadges() {
  answers.clear();
  if ((await readSettings()).badge) await showBadges();
}

async function askSaved(url) {
  const hash = await hashOf(url);
  const known = answers.get(hash);
  if (known && Date.now() - known.at < KEPT_MS) return known.isSaved;
  if (answers.size >= MAX_KEPT) answers.clear();
  const isSaved = rest('rpc/saved', { method: 'POST', body: { hashes: [hash] } })
    .then((rows) => rows.length > 0, () => false);
  answers.set(hash, { at: Date.now(), isSaved });
  return isSaved;
}

/**
 * Returns what the server is asked about an address: the first 16 hex digits of its SHA-256, without its fragment.
 * @param {string} url
 * @returns {Promise<string>}
 */
export async function hashOf(url) {
  const bytes = new TextEncoder().encode(url.replace(/#.*$/s, ''));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
