// Sets up what the home page does without a network, and with new versions of the app.

import { isOffline, onConnectionChange } from '../shared/api/connection.js';
import { currentSession } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';
import { onChangesSent, sendWaitingChanges } from '../shared/offline/changes.js';
import { sendUnsentProgress } from '../shared/offline/unsent-progress.js';
import { takeHasUsedCopies } from '../shared/offline/offline-links.js';
import { onChangeDropped, onWaitingChanges, waitingChanges } from '../shared/offline/waiting-changes.js';
import { showToast } from '../shared/ui/toast.js';
import { ConnectionBar } from './connection-bar.js';

/** The service worker is started when the page has had this long for its own requests. */
const START_DELAY_MS = 500;

/**
 * Sets up the line below the header, the waiting changes and the service worker.
 * @param {object} page
 * @param {import('../list/link-list.js').LinkList} page.list
 * @param {import('../reader/article-view.js').ArticleView} page.article
 * @returns {() => void} to be called when a list was loaded
 */
export function setUpOffline({ list, article }) {
  let dialog;
  const reload = () => {
    list.reload();
    article.openIfEmpty();
  };
  const bar = new ConnectionBar(document.getElementById('connection'), async () => {
    dialog ??= await createDialog();
    dialog.open();
  });
  const showChanges = async () => {
    const changes = await waitingChanges();
    bar.showChanges(changes.length, changes.filter(({ failure }) => failure).length);
    if (document.getElementById('waiting').open) dialog?.refresh();
  };
  const onBack = async () => {
    await sendWaitingChanges();
    if (takeHasUsedCopies()) reload();
    fetchCopiesSoon({ isStale: true });
  };
  onWaitingChanges(showChanges);
  onChangeDropped(reload);
  onChangesSent(({ sent, superseded }) => {
    showToast(sentText(sent, superseded));
    reload();
  });
  onConnectionChange((isLost) => {
    bar.showOffline(isLost);
    if (!isLost) onBack();
  });
  bar.showOffline(isOffline());
  // The connection may have come back while this was loaded.
  if (!isOffline() && takeHasUsedCopies()) reload();
  setTimeout(() => startAppUpdates(bar), START_DELAY_MS);
  let isForUser = false;
  // The user may sign in later; the changes of a session that has ended have waited for that.
  const startForUser = () => {
    if (isForUser || !currentSession()) return;
    isForUser = true;
    showChanges();
    sendWaitingChanges();
    sendUnsentProgress().catch(() => {});
  };
  startForUser();
  return () => {
    startForUser();
    fetchCopiesSoon();
  };
}

// What is not needed at first is loaded later.

async function createDialog() {
  const { WaitingDialog } = await import('./waiting-dialog.js');
  return new WaitingDialog(document.getElementById('waiting'));
}

async function startAppUpdates(bar) {
  const module = await import('./app-updates.js').catch(() => null);
  module?.startAppUpdates((load) => bar.showUpdate(load));
}

async function fetchCopiesSoon(options) {
  const module = await import('./background-fetch.js').catch(() => null);
  module?.fetchCopiesSoon(options);
}

function sentText(sent, superseded) {
  const text = t('Sent: {n} change.|Sent: {n} changes.', { n: sent });
  if (!superseded) return text;
  return `${text} ${t('{n} had no effect, because another device has made a newer change.', { n: superseded })}`;
}
