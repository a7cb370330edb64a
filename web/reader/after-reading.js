// What is offered at the end of an article: to archive it, and the articles beside it in the list.

import { shortLinkTitle } from '../shared/links/link-text.js';

/** @typedef {import('../shared/links/link-text.js').Link} Link */

/**
 * Shows the part for an open link.
 * @param {HTMLElement} part with the button to archive and the links to the articles before and after
 * @param {Link} link
 * @param {{previous: Promise<Link | undefined>, next: Promise<Link | undefined>}} neighbours
 */
export function showAfterReading(part, link, { previous, next }) {
  const archive = part.querySelector('[data-do]');
  part.dataset.link = link.id;
  archive.hidden = link.list === 'archive';
  part.hidden = archive.hidden;
  showNeighbour(part, link, part.querySelector('.previous'), previous);
  showNeighbour(part, link, part.querySelector('.next'), next);
}

async function showNeighbour(part, link, anchor, neighbour) {
  anchor.hidden = true;
  const other = await neighbour;
  // Another article may have been opened since.
  if (!other || part.dataset.link !== link.id) return;
  anchor.href = `#/link/${other.id}`;
  anchor.querySelector('span').textContent = shortLinkTitle(other);
  anchor.hidden = false;
  part.hidden = false;
}
