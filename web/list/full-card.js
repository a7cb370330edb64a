// A card of the list of links with everything that it shows.

import { t } from '../shared/locale/translate.js';
import { createElement, createTime } from '../shared/ui/elements.js';
import { renderLinkControls } from '../shared/links/link-controls.js';
import { isDocument } from '../shared/links/link-text.js';
import { cardDescription, cardFacts, renderTitle } from './card.js';
import { tagQuery } from './query-text.js';
import { searchHash } from './route.js';
import { snippetParts } from './snippet.js';

/** @typedef {import('../shared/links/link-text.js').Link} Link */

/**
 * Renders a link into its row; nothing if the row has lost its elements.
 * @param {HTMLLIElement} row
 * @param {Link} link with its details (`linkWithDetails`) and its `snippet` where they are known
 */
export function renderLinkRow(row, link) {
  if (!row.firstChild) return;
  const isReady = link.state === 'ready';
  // A file may have no text that can be read, such as a scan.
  const showStatus = !isReady || isDocument(link) && Boolean(link.reason) && !link.word_count;
  renderLinkControls(row, link, { showStatus, showRetry: !isReady && link.state !== 'waiting' });
  renderTitle(row, link);
  renderNodes(row.querySelector('.description'), descriptionNodes(link));
  renderNodes(row.querySelector('.meta span'), factNodes(link));
  const progress = row.querySelector('progress');
  progress.hidden = !link.progress;
  progress.value = link.progress ?? 0;
  renderNodes(row.querySelector('.tags'), (link.tags ?? []).map(createTagLink));
}

// The passage that a search has found comes before the description.
function descriptionNodes(link) {
  if (!link.snippet) return [cardDescription(link)];
  return snippetParts(link.snippet).map(({ text, isMatch }) => (isMatch ? createElement('mark', {}, text) : text));
}

function factNodes(link) {
  const highlights = link.highlightCount && t('{n} highlight|{n} highlights', { n: link.highlightCount });
  const facts = [
    cardFacts(link),
    link.created_at && createTime(link.created_at),
    highlights,
    link.progress && t('{percent}% read', { percent: Math.round(link.progress * 100) }),
  ];
  return facts.filter(Boolean).flatMap((fact) => [' · ', fact]).slice(1);
}

function createTagLink(name) {
  return createElement('a', { href: searchHash(tagQuery(name)), dir: 'auto' }, `#${name}`);
}

// Leaves equal nodes alone, so that a selection or the focus inside them survives.
function renderNodes(element, nodes) {
  const next = element.cloneNode(false);
  next.append(...nodes);
  if (!next.isEqualNode(element)) element.replaceChildren(...next.childNodes);
}
