// The files of the app in the cache of the browser. `FILES` (path → SHA-256) and `VERSION` come from
// `/files.js`, which deploy/run makes. All files of one version are in one cache.

const APP_PREFIX = 'app-';
const APP_CACHE = APP_PREFIX + VERSION;
const START_PAGE = '/index.html';

/**
 * Stores the files of this version, without the catalogues of languages that nobody uses. If one cannot be had, none is
 * stored and the browser tries again later.
 */
async function installFiles() {
  const cache = await caches.open(APP_CACHE);
  try {
    await Promise.all(Object.keys(FILES).map(async (path) => {
      if (isCatalogue(path) && !await isUsed(path)) return;
      const response = await readFile(path);
      // Routes take the start page from the cache by the path in the address.
      if (path === START_PAGE) await cache.put(`${ROOT}/`, response.clone());
      await cache.put(ROOT + path, response);
    }));
  } catch (error) {
    await caches.delete(APP_CACHE);
    throw error;
  }
}

/** Removes the files of other versions. */
async function removeOldFiles() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(APP_PREFIX) && name !== APP_CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/**
 * Returns the file that a path shows, or undefined.
 * @param {string} path
 * @returns {string | undefined}
 */
function fileOfPath(path) {
  const index = `${path.replace(/\/$/, '')}/index.html`;
  return [path, index].find((file) => Object.hasOwn(FILES, file));
}

/**
 * Answers with a file of this version.
 * @param {string} file
 * @param {Request} request sent if the file is not stored: the browser has removed it to save space, or it is the
 *   catalogue of a language that is used for the first time
 * @returns {Promise<Response>}
 */
async function answerWithFile(file, request) {
  const cache = await caches.open(APP_CACHE);
  const stored = await cache.match(ROOT + file);
  if (stored || !isCatalogue(file)) return stored ?? fetch(request);
  const response = await fetch(request);
  if (response.ok && await isOfThisVersion(file, response.clone())) await cache.put(ROOT + file, response.clone());
  return response;
}

function isCatalogue(path) {
  return path.startsWith('/locales/');
}

// The browser has the language, or a page has used it before.
async function isUsed(path) {
  const isOfBrowser = navigator.languages.some((tag) => path === `/locales/${tag.split('-')[0].toLowerCase()}.json`);
  return isOfBrowser || Boolean(await caches.match(ROOT + path));
}

// Takes a file that has not changed from the cache of the old version. A page is fetched all the same, because
// the headers beside it may have changed.
async function readFile(path) {
  const kept = path.endsWith('.html') ? undefined : await caches.match(ROOT + path);
  if (kept && await isOfThisVersion(path, kept.clone())) return kept;
  const response = await fetch(ROOT + path, { cache: 'no-cache' });
  // While a server is being updated, it may still have the old file, or already a newer one.
  if (response.ok && await isOfThisVersion(path, response.clone())) return response;
  throw Error(`${path} is not of this version.`);
}

async function isOfThisVersion(path, response) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await response.arrayBuffer()));
  return FILES[path] === [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
