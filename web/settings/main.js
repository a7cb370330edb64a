// The settings page at `/settings/`: how articles look, what this browser keeps, and what apps need to know.

import { sendAndSignOut } from '../offline/sign-out.js';
import { setUpTextSettings } from '../reader/settings/settings-panel.js';
import { serverURL } from '../shared/api/server.js';
import { currentSession, reloadWhenUserChanges } from '../shared/api/session.js';
import { setUpApps } from './apps.js';
import { setUpBookmarklets } from './bookmarklets.js';
import { setUpBooks } from './books-section.js';
import { setUpDebugLog } from './debug-section.js';
import { setUpDigestSchedule } from './digest-schedule.js';
import { setUpFeeds } from './feeds-section.js';
import { setUpLanguage } from './language.js';
import { setUpListening } from './listening-settings.js';
import { setUpLists } from './lists-section.js';
import { setUpOfflineSettings } from './offline-section.js';
import { setUpShares } from './shares-section.js';
import { setUpUsage } from './usage-section.js';
import { setUpViewer } from './viewer-form.js';

function start() {
  for (const button of document.querySelectorAll('#logout, .sign-out')) button.onclick = sendAndSignOut;
  reloadWhenUserChanges();
  if (!currentSession()) {
    location.replace(serverURL('/?next=settings'));
    return;
  }
  for (const id of ['bar', 'settings']) document.getElementById(id).hidden = false;
  setUpTextSettings(document.querySelector('#reading form'))();
  setUpListening(document.querySelector('#reading .listening'));
  setUpLists(document.getElementById('lists'));
  setUpLanguage(document.getElementById('page-language'));
  setUpOfflineSettings(document.getElementById('offline'));
  setUpFeeds(document.getElementById('feeds'));
  setUpBooks(document.getElementById('books'));
  setUpShares(document.getElementById('shares'));
  setUpDigestSchedule(document.getElementById('digest-schedule'));
  setUpApps(document.getElementById('apps'));
  setUpDebugLog(document.getElementById('debug'));
  setUpUsage(document.getElementById('usage'));
  setUpViewer(document.getElementById('open-viewer'));
  setUpBookmarklets(document.getElementById('bookmarklets'));
  // The browser could not scroll to the section in the URL before the sections were visible.
  if (/^#[a-z]+$/.test(location.hash)) document.querySelector(location.hash)?.scrollIntoView();
}

start();
