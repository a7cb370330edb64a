// Sets up what the home page does with the app itself: new versions of it.

import { startAppUpdates } from './app-updates.js';
import { ConnectionBar } from './connection-bar.js';

/** Sets up the line below the header and starts the service worker. */
export function setUpOffline() {
  const bar = new ConnectionBar(document.getElementById('connection'), () => {});
  startAppUpdates((reload) => bar.showUpdate(reload));
}
