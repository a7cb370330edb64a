// What happens when an article has been read aloud to its end: it is archived, and the next one of the list follows.

import { showMessage } from '../../shared/ui/messages.js';
import { READING_MESSAGES } from '../reading-messages.js';
import { readOptions } from './listening-options.js';

/** @typedef {import('../../shared/links/link-text.js').Link} Link */

/**
 * Does what the options want.
 * @param {Link} link the article that has ended
 * @param {object} page
 * @param {boolean} page.wasHeard whether there was anything to be read aloud
 * @param {(link: Link, offset: 1) => Promise<Link | undefined>} page.adjacentLink
 * @param {(link: Link) => void} page.archive
 * @param {() => boolean} page.isOpen whether the article is still open
 * @returns {Promise<string | null>} the id of the article that has been opened to go on
 */
export async function finishListening(link, { wasHeard, adjacentLink, archive, isOpen }) {
  const options = readOptions();
  // Asked before the article leaves the list.
  const next = options.next ? await adjacentLink(link, 1) : undefined;
  const archives = options.archive && wasHeard && link.list !== 'archive';
  if (archives) archive(link);
  if (!options.next || !isOpen()) return null;
  if (!next) {
    // The message about the article stays, because it has the button Undo.
    if (!archives) showMessage(READING_MESSAGES.lastArticle);
    return null;
  }
  location.hash = `#/link/${next.id}`;
  return next.id;
}
