// The queue page at `/queue/`: what the server does with the links that the user saved. Titles and URLs come
// from unknown pages and clients; they become text nodes, never markup.

import { sendAndSignOut } from '../offline/sign-out.js';
import { serverURL } from '../shared/api/server.js';
import { authorizedRequest, currentSession, reloadWhenUserChanges } from '../shared/api/session.js';
import { setUpAllUsers } from './all-users.js';
import { setUpBrokenLinks } from './broken-links.js';
import { setUpFailedJobs } from './failed-jobs.js';
import { setUpFeeds } from './feeds.js';
import { setUpFileImports } from './file-imports.js';
import { setUpImports } from './imports.js';
import { startPolling } from './polling.js';
import { setUpRecentJobs } from './recent-jobs.js';
import { setUpReports } from './reports.js';
import { setUpWaitingJobs } from './waiting-jobs.js';

/** The sections of the page, in its order. They are refreshed one after the other. */
const SECTIONS = [
  setUpFileImports, setUpImports, setUpFeeds, setUpWaitingJobs, setUpFailedJobs, setUpBrokenLinks, setUpRecentJobs,
];

async function start() {
  document.getElementById('logout').onclick = sendAndSignOut;
  reloadWhenUserChanges();
  if (!currentSession()) {
    location.replace(serverURL('/?next=queue'));
    return;
  }
  for (const id of ['bar', 'queue']) document.getElementById(id).hidden = false;
  // Shows the sections as busy while the request runs.
  const sections = SECTIONS.map((setUp) => setUp());
  if (await isAdmin()) sections.push(setUpAllUsers(), setUpReports());
  startPolling(sections);
}

// If the request fails, the user still sees their own queue.
async function isAdmin() {
  const user = await authorizedRequest('/auth/v1/user').catch(() => null);
  return user?.app_metadata?.admin === true;
}

start();
