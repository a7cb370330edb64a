// The fonts of the reading view in the cache of the browser: those that a text has needed, so that it looks the same
// without a network. The name of a font changes with its content.

const FONT_CACHE = 'fonts';

/** More than all fonts of one version of the app. */
const MAX_FONTS = 40;

/**
 * @param {string} path
 * @returns {boolean}
 */
function isFont(path) {
  return path.startsWith('/fonts/') && path.endsWith('.woff2');
}

/**
 * Answers with the cached font, or fetches the font and caches it.
 * @param {FetchEvent} event
 * @returns {Promise<Response>}
 */
async function answerWithFont(event) {
  const path = new URL(event.request.url).pathname;
  const cache = await caches.open(FONT_CACHE);
  const kept = await cache.match(path);
  if (kept) return kept;
  const response = await fetch(event.request);
  if (response.status === 200) event.waitUntil(storeFont(cache, path, response.clone()));
  return response;
}

// A font that does not fit on the device is not stored. Beyond the bound, the oldest go.
async function storeFont(cache, path, response) {
  try {
    await cache.put(path, response);
    const kept = await cache.keys();
    await Promise.all(kept.slice(0, -MAX_FONTS).map((request) => cache.delete(request)));
  } catch {
    // See above.
  }
}
