// The service worker. It answers the requests for the app's own files, fonts and stored pictures, so that the
// pages open without a network, and leaves everything else, such as the API, to the browser. It and what it
// imports are classic scripts, because not every browser has module workers.

importScripts('files.js', 'worker/app-cache.js', 'worker/fonts.js', 'worker/pictures.js', 'worker/shares.js');

/** The path that the server is published under; empty at the root of a host. Other paths here are below it. */
const ROOT = new URL('.', location).pathname.slice(0, -1);

/** Paths whose requests never come to the worker, where the browser knows such routes. */
const NETWORK_PATHS = ['/rest/*', '/auth/*', '/functions/*', '/storage/*', '/health'];

/** Files that the browser takes from the cache without starting the worker, where it knows such routes. */
const CACHED_PATHS = new Set(['/', ...Object.keys(FILES)
  .filter((path) => /^\/[^/]+\/.*\.(js|css)$/.test(path))
  .map((path) => path.replace(/^(\/[^/]+\/).*(\.\w+)$/, '$1*$2'))]);

addEventListener('install', (event) => {
  // Chromium drops a request that a page sends while it is left if the request has to ask the worker first.
  event.addRoutes?.([
    ...routes(NETWORK_PATHS, 'network'),
    ...routes([...CACHED_PATHS], { cacheName: APP_CACHE }),
  ]);
  event.waitUntil(installFiles());
});

addEventListener('activate', (event) => {
  event.waitUntil(removeOldFiles().then(() => clients.claim()));
});

addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const path = pathBelowRoot(pathname);
  if (isShare(event.request)) event.respondWith(answerWithShared(event.request));
  if (method !== 'GET' || origin !== location.origin || path === undefined) return;
  const file = fileOfPath(path);
  if (file) event.respondWith(answerWithFile(file, event.request));
  else if (isFont(path)) event.respondWith(answerWithFont(event));
  else if (isPicture(path)) event.respondWith(answerWithPicture(event));
});

/**
 * @param {string} pathname
 * @returns {string | undefined} undefined for a path that is not below the root
 */
function pathBelowRoot(pathname) {
  return pathname.startsWith(`${ROOT}/`) ? pathname.slice(ROOT.length) : undefined;
}

function routes(paths, source) {
  return paths.map((path) => ROOT + path).map((pathname) => ({ condition: { urlPattern: new URLPattern({ pathname }) }, source }));
}

// A new version waits until the user wants it, or until no page of the old one is open.
addEventListener('message', ({ data }) => {
  if (data === 'activate') skipWaiting();
});
