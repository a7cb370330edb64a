// A card of the list of links, made from the templates of the page.

import { createElement, createTime } from '../shared/ui/elements.js';
import { displayText } from '../shared/format/entities.js';
import { formatCount } from '../shared/format/numbers.js';
import { renderLinkControls } from '../shared/links/link-controls.js';
import { linkFacts, linkHost, linkTitle, linkURL } from '../shared/links/link-text.js';
import { tagQuery } from './query-text.js';
import { searchHash } from './route.js';
import { snippetParts } from './snippet.js';

/** @typedef {import('../shared/links/link-text.js').Link} Link */

/**
 * Creates the action buttons of a link.
 * @returns {DocumentFragment}
 */
export function createActionButtons() {
  return document.getElementById('actions').content.cloneNode(true);
}

/**
 * Creates a row without text.
 * @param {string} id of the link
 * @returns {HTMLLIElement}
 */
export function createLinkRow(id) {
  const row = createElement('li');
  row.dataset.id = id;
  fillLinkRow(row);
  return row;
}

/**
 * Gives a row without children its elements.
 * @param {HTMLLIElement} row
 */
export function fillLinkRow(row) {
  row.append(document.getElementById('link-row').content.cloneNode(true));
  row.querySelector('.tools').append(createActionButtons());
}

/**
 * Renders a link into its row; nothing if the row has lost its elements.
 * @param {HTMLLIElement} row
 * @param {Link} link with its details (`fetchLinkDetails`) and its `snippet` where they are known
 */
export function renderLinkRow(row, link) {
  if (!row.firstChild) return;
  renderLinkControls(row, link, { showStatus: link.state !== 'ready', showRetry: link.state !== 'waiting' });
  const anchor = row.querySelector('h2 a');
  anchor.href = `#/link/${link.id}`;
  const isUntitled = !link.title && !['pending', 'waiting'].includes(link.state);
  anchor.textContent = isUntitled ? 'Untitled' : linkTitle(link);
  renderNodes(row.querySelector('.description'), descriptionNodes(link, isUntitled));
  renderNodes(row.querySelector('.meta span'), factNodes(link));
  renderPicture(row.querySelector('.icon'), link.pictures?.icon);
  renderPicture(row.querySelector('.preview'), link.pictures?.preview);
  const progress = row.querySelector('progress');
  progress.hidden = !link.progress;
  progress.value = link.progress ?? 0;
  renderNodes(row.querySelector('.tags'), (link.tags ?? []).map(createTagLink));
}

// The passage that a search has found comes before the description. A link without a title shows its address.
function descriptionNodes(link, isUntitled) {
  if (link.snippet) {
    return snippetParts(link.snippet).map(({ text, isMatch }) => (isMatch ? createElement('mark', {}, text) : text));
  }
  const description = displayText(link.description, link.description_is_text);
  return [description || (isUntitled ? linkURL(link) : '')];
}

function factNodes(link) {
  const site = /^https?:/i.test(linkURL(link)) ? linkHost(link) : '';
  const highlights = link.highlightCount && formatCount(link.highlightCount, 'highlight');
  const facts = [
    linkFacts(link, site || 'Unknown site'),
    link.created_at && createTime(link.created_at),
    highlights,
    link.progress && `${Math.round(link.progress * 100)}% read`,
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

// Setting the same source again would load the picture again.
function renderPicture(image, source) {
  image.hidden = !source;
  if (source && image.getAttribute('src') !== source) image.src = source;
}
