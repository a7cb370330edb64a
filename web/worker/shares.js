// What apps share with the installed app: the browser sends it as a form to `/save`. Links and texts become values in
// the address of the page there. Files wait in the cache of the browser until the user saves them on that page.

const SHARE_PATH = '/save';
const SHARED_FILES_CACHE = 'shared-files';

/** What is kept of files that nobody has saved. */
const MAX_SHARED_FILES = 20;
const SHARED_FILES_MS = 86_400_000;

/** The address stands at the beginning of a text, or the text is short. UTF-16 units. */
const MAX_SHARED_TEXT = 20_000;

/** The name of a file, percent-encoded, and when it was shared, in milliseconds since the epoch. */
const NAME_HEADER = 'X-File-Name';
const SHARED_HEADER = 'X-Shared-At';

/**
 * @param {Request} request
 * @returns {boolean}
 */
function isShare({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  return method === 'POST' && mode === 'navigate' && origin === location.origin && pathBelowRoot(pathname) === SHARE_PATH;
}

/**
 * Takes what was shared, and answers with the page that saves it.
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function answerWithShared(request) {
  const values = new URLSearchParams();
  try {
    const form = await request.formData();
    for (const name of ['title', 'text', 'url']) {
      const value = form.get(name);
      if (typeof value === 'string' && value) values.set(name, value.slice(0, MAX_SHARED_TEXT));
    }
    const files = form.getAll('files').filter((file) => file instanceof File && file.name).slice(0, MAX_SHARED_FILES);
    if (files.length) values.set('files', await storeShared(files));
  } catch {
    // The form is damaged, or the files do not fit on the device.
    values.set('shared', 'lost');
  }
  return Response.redirect(`${ROOT}${SHARE_PATH}?${values}`, 303);
}

async function storeShared(files) {
  const share = crypto.randomUUID();
  const cache = await caches.open(SHARED_FILES_CACHE);
  for (const [index, file] of files.entries()) {
    const headers = {
      'Content-Type': file.type || 'application/octet-stream',
      [NAME_HEADER]: encodeURIComponent(file.name.slice(0, 255)),
      [SHARED_HEADER]: String(Date.now()),
    };
    await cache.put(`${ROOT}${SHARE_PATH}/files/${share}/${index}`, new Response(file, { headers }));
  }
  await removeOldShares(cache);
  return share;
}

// The cache lists its entries in the order in which they were stored.
async function removeOldShares(cache) {
  const requests = await cache.keys();
  const beyond = requests.length - MAX_SHARED_FILES;
  for (const [index, request] of requests.entries()) {
    const sharedAt = Number((await cache.match(request))?.headers.get(SHARED_HEADER));
    if (index < beyond || Date.now() - sharedAt > SHARED_FILES_MS) await cache.delete(request);
  }
}
