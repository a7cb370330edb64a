// Starts the service worker and tells when it has a new version of the app.

import { isElsewhere, serverURL } from '../shared/api/server.js';

/** An app that stays open looks for a new version when it is shown again after this time. */
const CHECK_AFTER_MS = 3_600_000;

/**
 * Starts the service worker. Does nothing where the browser has none: on pages from other machines without
 * HTTPS, for example; in the extension, the browser itself looks for new versions.
 * @param {(reload: () => void) => void} onUpdate called when a new version is ready, with a function that loads
 *   it
 */
export function startAppUpdates(onUpdate) {
  if (!navigator.serviceWorker || isElsewhere()) return;
  start(onUpdate).catch(() => {});
}

async function start(onUpdate) {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(serverURL('/sw.js'), { updateViaCache: 'none' });
  let hasReloaded = false;
  const reload = () => {
    serviceWorker.addEventListener('controllerchange', () => {
      if (!hasReloaded) location.reload();
      hasReloaded = true;
    });
    registration.waiting?.postMessage('activate');
  };
  const tellIfReady = () => {
    // Without a controller, this is the first version that the browser has.
    if (registration.waiting && serviceWorker.controller) onUpdate(reload);
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', tellIfReady);
  });
  tellIfReady();

  let checkedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - checkedAt < CHECK_AFTER_MS) return;
    checkedAt = Date.now();
    registration.update().catch(() => {});
  });
}
