// The context menus.

import { savedText, tabsText } from '../shared/texts.js';
import { t } from '../shared/words.js';
import { showBadge } from './badge.js';
import { captureSelection } from './capturing.js';
import { saveTab } from './saved-tabs.js';
import { saveAddress, saveAddresses } from './saving.js';
import { note } from './storage.js';

const MENUS = [
  { id: 'page', title: t('Save page to Lectern'), contexts: ['page', 'frame', 'image', 'video', 'audio'] },
  { id: 'link', title: t('Save link to Lectern'), contexts: ['link'] },
  { id: 'selection', title: t('Highlight and save to Lectern'), contexts: ['selection'] },
  { id: 'tabs', title: t('Save all tabs of this window'), contexts: ['action'] },
  { id: 'list', title: t('Open the reading list'), contexts: ['action'] },
];

/** How long the button shows how a save from a menu went, in milliseconds. */
const SIGN_MS = 4_000;

/** The most tabs that are saved at once. */
const MAX_TABS = 200;

/** Makes the menus, which the browser keeps. */
export async function makeMenus() {
  await chrome.contextMenus.removeAll();
  for (const menu of MENUS) chrome.contextMenus.create(menu);
}

/**
 * Does what was chosen in a menu.
 * @param {chrome.contextMenus.OnClickData} info
 * @param {chrome.tabs.Tab} tab
 */
export async function choose(info, tab) {
  // The browser asks only while the click is being handled, so nothing may be awaited before.
  if (info.menuItemId === 'tabs') return mayReadTabs().then(saveTabs(tab));
  if (info.menuItemId === 'list') return openList();
  try {
    const { waiting } = await CHOICES[info.menuItemId](info, tab);
    await showSign(tab, '✓', waiting ? savedText(null) : t('Saved to Lectern'));
  } catch (error) {
    await showFailure(tab, error);
  }
}

async function showFailure(tab, { message }) {
  await note(t('Not saved: {message}', { message }));
  await showSign(tab, '!', message);
}

const CHOICES = {
  page: (info, tab) => saveTab({ id: tab.id, url: info.pageUrl ?? tab.url, title: tab.title }),
  link: (info) => saveAddress(info.linkUrl),
  async selection(info, tab) {
    const passage = await captureSelection(tab.id, info.frameId)
      ?? { quote: info.selectionText.slice(0, 20_000), prefix: '', suffix: '' };
    const change = { id: crypto.randomUUID(), kind: 'highlight', ...passage };
    return saveTab({ id: tab.id, url: info.pageUrl, title: tab.title }, undefined, [change]);
  },
};

function mayReadTabs() {
  const wanted = { permissions: ['tabs'] };
  // Without a click, as from a keyboard shortcut of another extension, the browser does not ask.
  return chrome.permissions.request(wanted).catch(() => chrome.permissions.contains(wanted));
}

function saveTabs(tab) {
  return async (isAllowed) => {
    if (!isAllowed) return;
    const tabs = await chrome.tabs.query({ windowId: tab.windowId });
    const pages = tabs.filter(({ url }) => /^https?:/.test(url ?? '')).slice(0, MAX_TABS);
    try {
      const text = tabsText(pages.length, await saveAddresses(pages));
      await note(text);
      await showSign(tab, String(pages.length), text);
    } catch (error) {
      await showFailure(tab, error);
    }
  };
}

/** Opens the reading list. It leads to the options before a server is entered. */
export async function openList() {
  await chrome.tabs.create({ url: chrome.runtime.getURL('reading-list/index.html') });
}

async function showSign(tab, text, title) {
  const tabId = tab?.id;
  if (tabId === undefined) return;
  await chrome.action.setBadgeText({ tabId, text }).catch(() => {});
  await chrome.action.setTitle({ tabId, title }).catch(() => {});
  setTimeout(() => {
    showBadge(tab).catch(() => {});
    chrome.action.setTitle({ tabId, title: t('Save to Lectern') }).catch(() => {});
  }, SIGN_MS);
}
