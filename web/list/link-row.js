// A row of the list of links, made from the templates of the page.

import { displayText } from '../shared/format/entities.js';
import { renderLinkControls } from '../shared/links/link-controls.js';
import { linkFacts, linkHost, linkTitle } from '../shared/links/link-text.js';

/**
 * Creates the action buttons of a link.
 * @returns {DocumentFragment}
 */
export function createActionButtons() {
  return document.getElementById('actions').content.cloneNode(true);
}

/**
 * Creates an empty row.
 * @param {string} id of the link
 * @returns {HTMLLIElement}
 */
export function createLinkRow(id) {
  const row = document.getElementById('link-row').content.querySelector('li').cloneNode(true);
  row.dataset.id = id;
  row.querySelector('.tools').append(createActionButtons());
  return row;
}

/**
 * Renders a link into its row.
 * @param {HTMLLIElement} row
 * @param {import('../shared/links/link-text.js').Link} link `pictures`, if set, has the URLs of `preview` and
 *   `icon`
 */
export function renderLinkRow(row, link) {
  renderLinkControls(row, link, { showStatus: link.state !== 'ready', showRetry: true });
  const anchor = row.querySelector('h2 a');
  anchor.href = `#/link/${link.id}`;
  anchor.textContent = linkTitle(link);
  row.querySelector('.description').textContent = displayText(link.description, link.description_is_text);
  row.querySelector('.meta span').textContent = linkFacts(link, linkHost(link));
  renderPicture(row.querySelector('.icon'), link.pictures?.icon);
  renderPicture(row.querySelector('.preview'), link.pictures?.preview);
}

// Setting the same source again would load the picture again.
function renderPicture(image, source) {
  image.hidden = !source;
  if (source && image.getAttribute('src') !== source) image.src = source;
}
