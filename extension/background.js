// The service worker of the extension: what happens when. Listeners are added at once, or the browser would not start
// the worker for their events.

import { showBadge } from './background/badge.js';
import { HELD_ALARM, sendQueue, settleAll } from './background/held-pages.js';
import { showIcon } from './background/icon.js';
import { choose, makeMenus } from './background/menus.js';
import { answer } from './background/messages.js';
import { forgetTakings } from './background/queue-store.js';
import { RETRY_ALARM } from './background/sending.js';

chrome.runtime.onMessage.addListener(answer);
chrome.contextMenus.onClicked.addListener(choose);

chrome.runtime.onInstalled.addListener(({ reason }) => {
  makeMenus();
  if (reason === 'install') chrome.runtime.openOptionsPage();
});

chrome.runtime.onStartup.addListener(() => {
  // The language of the browser may have changed.
  makeMenus();
  sendQueue();
});
self.addEventListener('online', sendQueue);
chrome.alarms.onAlarm.addListener(({ name }) => {
  if (name === RETRY_ALARM) sendQueue();
  if (name === HELD_ALARM) settleAll();
});

chrome.tabs.onActivated.addListener(({ tabId }) => chrome.tabs.get(tabId).then(showBadge).catch(() => {}));
chrome.tabs.onUpdated.addListener((tabId, { status }, tab) => {
  if (status === 'complete' && tab.active) showBadge(tab);
});

showIcon();
forgetTakings().then(sendQueue);
