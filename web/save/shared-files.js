// The files that an app has shared: the service worker keeps them for this page; see `worker/shares.js`.

import { serverURL } from '../shared/api/server.js';

const CACHE = 'shared-files';
const NAME_HEADER = 'X-File-Name';

/**
 * Returns the files of a share, in their order.
 * @param {string} share id
 * @returns {Promise<File[]>} none if they were saved, or shared more than a day ago
 */
export async function readSharedFiles(share) {
  const { cache, requests } = await entriesOf(share);
  return Promise.all(requests.map(async (request) => {
    const response = await cache.match(request);
    const name = decodeURIComponent(response.headers.get(NAME_HEADER));
    return new File([await response.blob()], name, { type: response.headers.get('Content-Type') });
  }));
}

/**
 * Forgets the files of a share.
 * @param {string} share id
 */
export async function removeSharedFiles(share) {
  const { cache, requests } = await entriesOf(share);
  await Promise.all(requests.map((request) => cache.delete(request)));
}

async function entriesOf(share) {
  const cache = await caches.open(CACHE);
  const isOfShare = ({ url }) => new URL(url).pathname.startsWith(serverURL(`/save/files/${share}/`));
  return { cache, requests: (await cache.keys()).filter(isOfShare) };
}
