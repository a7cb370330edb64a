// The anchor "Open original" of a link: its page, or the file that it is.

import { serverURL } from '../api/server.js';
import { showError } from '../ui/toast.js';
import { setExternalURL } from './external-link.js';
import { isDocument, linkURL } from './link-text.js';

/**
 * Points an anchor at the original of a link. It is hidden for a link without one.
 * @param {HTMLAnchorElement} anchor
 * @param {import('./link-text.js').Link} link
 */
export function setOriginal(anchor, link) {
  const isFile = isDocument(link);
  anchor.onclick = isFile ? (event) => openFile(event, link.id) : null;
  if (!isFile) setExternalURL(anchor, linkURL(link));
  else Object.assign(anchor, { href: serverURL(`/documents/${link.id}`), hidden: false });
}

// The address needs the access token, which a browser does not send by itself.
async function openFile(event, id) {
  event.preventDefault();
  try {
    const [{ download }, { READING_MESSAGES }] = await Promise.all([
      import('../api/download.js'), import('../../reader/reading-messages.js'),
    ]);
    await download(`/documents/${id}`, READING_MESSAGES.fileMissing);
  } catch (error) {
    showError(error);
  }
}
