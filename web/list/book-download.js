// Downloading the book of an article.

import { READING_MESSAGES } from '../reader/reading-messages.js';
import { download } from '../shared/api/download.js';

/**
 * Downloads the book of a link under the name that the server gives it.
 * @param {string} id
 * @throws {Error} with a message for the user
 */
export function downloadBook(id) {
  return download(`/books/${id}.epub`, READING_MESSAGES.bookMissing);
}
