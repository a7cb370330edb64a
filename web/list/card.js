// What a card of the list shows at first, made from the templates of the page. `full-card.js` adds the rest.

import { displayText, isDocument, linkFacts, linkHost, linkTitle, linkURL } from '../shared/links/link-text.js';
import { t } from '../shared/locale/translate.js';

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
  const row = document.createElement('li');
  // Its parent is a group, which is no list of its own.
  row.role = 'listitem';
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
 * Creates an element for some of the rows.
 * @returns {HTMLUListElement}
 */
export function createRowGroup() {
  const group = document.createElement('ul');
  // For assistive technology, the rows are items of one list.
  group.role = 'none';
  return group;
}

/**
 * Shows the title, the description, the site and the pictures of a link.
 * @param {HTMLLIElement} row
 * @param {Link} link
 */
export function renderCard(row, link) {
  row.dataset.status = link.status;
  renderTitle(row, link);
  row.querySelector('.description').textContent = cardDescription(link);
  row.querySelector('.meta span').textContent = cardFacts(link);
}

/**
 * Shows the title and the pictures of a link.
 * @param {HTMLLIElement} row
 * @param {Link} link
 */
export function renderTitle(row, link) {
  const anchor = row.querySelector('h2 a');
  anchor.href = `#/link/${link.id}`;
  anchor.textContent = isUntitled(link) ? t('Untitled') : linkTitle(link);
  renderPicture(row.querySelector('.icon'), link.pictures?.icon);
  renderPicture(row.querySelector('.preview'), link.pictures?.preview);
}

/**
 * @param {Link} link
 * @returns {string} the description; a link without a title shows its address
 */
export function cardDescription(link) {
  const address = isUntitled(link) && !isDocument(link) ? linkURL(link) : '';
  return displayText(link.description, link.description_is_text) || address;
}

/**
 * @param {Link} link
 * @returns {string} site and reading time
 */
export function cardFacts(link) {
  const site = isDocument(link) || /^https?:/i.test(linkURL(link)) ? linkHost(link) : '';
  return linkFacts(link, site || t('Unknown site'));
}

function isUntitled({ title, state }) {
  return !title && !['pending', 'waiting'].includes(state);
}

// Setting the same source again would load the picture again.
function renderPicture(image, source) {
  image.hidden = !source;
  if (source && image.getAttribute('src') !== source) image.src = source;
}
