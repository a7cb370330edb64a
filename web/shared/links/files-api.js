// Files that become links: their upload, and what the server makes of each.

import { errorText } from '../api/error-texts.js';
import { uploadFile } from '../api/upload.js';
import { restRequest } from '../api/session.js';
import { t } from '../locale/translate.js';
import { fetchLink } from './links-api.js';
import { addTag } from './tags-api.js';

/** The largest file, in bytes. */
const MAX_BYTES = 2 ** 30;

/** The server reads most files at once; the wait between two looks grows to the second number. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 3000;

/**
 * A file that is saved, and what is done with its link.
 * @typedef {{file: File, tags?: string[], list?: 'read' | 'archive'}} SavedFile
 */

/**
 * Sends a file and waits until the server has read it.
 * @param {SavedFile} saved
 * @param {{signal?: AbortSignal, onProgress?: (fraction: number) => void, onReading?: () => void}} [watch]
 *   `onReading` is called when the whole file was sent
 * @returns {Promise<{link: import('./link-text.js').Link, isDuplicate: boolean}>} a duplicate was saved before
 * @throws {import('../api/client.js').RequestError} without a status if the server did not answer
 */
export async function saveFile({ file, tags = [], list = 'read' }, watch = {}) {
  if (file.size > MAX_BYTES) throw refusal(t('The file is larger than 1 GB, which is the limit.'));
  const id = await uploadFile(file, watch);
  watch.onReading?.();
  const { reason, link_id: linkId, duplicate } = await readImport(id);
  const link = linkId && await fetchLink(linkId);
  if (!link) {
    const said = reason || await rejection(id);
    throw refusal(said ? errorText(said) : t('The file was not saved.'));
  }
  for (const name of tags) await addTag(link.id, name);
  if (list === 'archive') await restRequest(`links?id=eq.${link.id}`, { method: 'PATCH', body: { list } });
  return { link: { ...link, ...(list === 'archive' && { list }) }, isDuplicate: duplicate > 0 };
}

async function readImport(id) {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    const [row] = await restRequest(`imports?id=eq.${id}`);
    if (!row) throw refusal(t('This file is no longer on the server.'));
    if (row.state !== 'reading') return row;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function rejection(id) {
  const [reject] = await restRequest(`import_rejects?import_id=eq.${id}&select=reason`);
  return reject?.reason;
}

// The server has answered, though not with this status: to send the file again would be of no use.
function refusal(message) {
  return Object.assign(Error(message), { status: 422 });
}
