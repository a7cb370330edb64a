// The copy of a page as the browser showed it, which the extension sends.

import { serverURL } from '../api/server.js';
import { authorizedRequest } from '../api/session.js';

/**
 * Returns the URL that opens the copy of a link, for ten minutes.
 * @param {string} linkId
 * @returns {Promise<string | undefined>} undefined if there is none
 */
export async function fetchCopyURL(linkId) {
  const [copy] = await authorizedRequest(`/auth/v1/copies?link=${linkId}`);
  return copy && serverURL(copy.url);
}
