// Takes the page of a tab as the browser shows it.

import { CAPTURE_TIMEOUT_MS } from '../shared/timing.js';

const FILES = ['overlays', 'images', 'attributes', 'serializer', 'main'].map((name) => `capture/${name}.js`);

/**
 * What was taken of a page: its HTML, or the reason why there is none.
 * @typedef {object} Capture
 * @property {string} [html]
 * @property {string} [problem] a key of PAGE_PROBLEMS
 * @property {boolean} [isSignedIn] whether the page offers to sign out
 */

/**
 * @param {number} tabId of a tab that the user has just asked to save (the permission `activeTab`)
 * @returns {Promise<Capture>}
 */
export async function capturePage(tabId) {
  const silent = new Promise((resolve) => { setTimeout(resolve, CAPTURE_TIMEOUT_MS, { problem: 'silent' }); });
  return Promise.race([inject(tabId, FILES), silent]);
}

async function inject(tabId, files) {
  try {
    const [{ result }] = await chrome.scripting.executeScript({ target: { tabId }, files });
    return result ?? { problem: 'silent' };
  } catch {
    // Pages of the browser, of its store and of other extensions, and errors of the network.
    return { problem: 'browser' };
  }
}

/**
 * Returns the selection of a page with the text around it, or null.
 * @param {number} tabId
 * @param {number} [frameId]
 * @returns {Promise<{quote: string, prefix: string, suffix: string} | null>}
 */
export async function captureSelection(tabId, frameId = 0) {
  const target = { tabId, frameIds: [frameId] };
  const [{ result }] = await chrome.scripting.executeScript({ target, files: ['capture/selection.js'] })
    .catch(() => [{ result: null }]);
  return result;
}
