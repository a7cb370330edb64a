// The stored pictures in the cache of the browser: those seen or fetched last, within bounds. Signing out
// removes them all.

const PICTURE_CACHE = 'pictures';
const MAX_PICTURES = 2000;
const MAX_PICTURE_BYTES = 200_000_000;

/** The bounds are kept at the first picture of a worker and then every so many pictures. */
const TRIM_EVERY = 50;

/** When a cached picture was last used, in milliseconds. It is renewed once an hour, as that writes the picture. */
const USED_HEADER = 'X-Used-At';
const RENEW_AFTER_MS = 3_600_000;

let storedPictures = 0;

/**
 * @param {string} path
 * @returns {boolean}
 */
function isPicture(path) {
  return path.startsWith('/pictures/');
}

/**
 * Answers with the cached picture, or fetches the picture and caches it.
 * @param {FetchEvent} event
 * @returns {Promise<Response>}
 */
async function answerWithPicture(event) {
  const path = new URL(event.request.url).pathname;
  const cache = await caches.open(PICTURE_CACHE);
  const kept = await cache.match(path);
  if (kept) {
    const isRecent = Date.now() - kept.headers.get(USED_HEADER) < RENEW_AFTER_MS;
    if (!isRecent) event.waitUntil(storePicture(cache, path, kept.clone()));
    return kept;
  }
  const response = await fetch(event.request);
  if (response.status === 200) event.waitUntil(storePicture(cache, path, response.clone()));
  return response;
}

// A picture that does not fit on the device is not stored.
async function storePicture(cache, path, response) {
  try {
    const body = await response.blob();
    const headers = new Headers(response.headers);
    headers.set('Content-Length', body.size);
    headers.set(USED_HEADER, Date.now());
    await cache.put(path, new Response(body, { headers }));
    if (storedPictures % TRIM_EVERY === 0) await trimPictures(cache);
    storedPictures += 1;
  } catch {
    // See above.
  }
}

/** Removes the least recently used pictures beyond the bounds. */
async function trimPictures(cache) {
  const requests = await cache.keys();
  const pictures = await Promise.all(requests.map(async (request) => {
    const headers = (await cache.match(request))?.headers;
    return { request, bytes: Number(headers?.get('Content-Length')), usedAt: Number(headers?.get(USED_HEADER)) };
  }));
  pictures.sort((a, b) => b.usedAt - a.usedAt);
  let bytes = 0;
  const beyond = pictures.filter((picture, index) => {
    bytes += picture.bytes;
    return index >= MAX_PICTURES || bytes > MAX_PICTURE_BYTES;
  });
  await Promise.all(beyond.map(({ request }) => cache.delete(request)));
}
