// What is offered at the end of an article: to archive it, and the next article of the list.

import { shortLinkTitle } from '../shared/links/link-text.js';

/**
 * Shows the part for an open link.
 * @param {HTMLElement} part with the button to archive and the link to the next article
 * @param {import('../shared/links/link-text.js').Link} link
 * @param {Promise<import('../shared/links/link-text.js').Link | undefined>} next
 */
export async function showAfterReading(part, link, next) {
  const archive = part.querySelector('[data-do]');
  const anchor = part.querySelector('a');
  part.dataset.link = link.id;
  archive.hidden = link.list === 'archive';
  anchor.hidden = true;
  part.hidden = archive.hidden;
  const nextLink = await next;
  // Another article may have been opened since.
  if (!nextLink || part.dataset.link !== link.id) return;
  anchor.href = `#/link/${nextLink.id}`;
  anchor.querySelector('span').textContent = shortLinkTitle(nextLink);
  anchor.hidden = false;
  part.hidden = false;
}
