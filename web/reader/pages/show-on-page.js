// Showing a place of the article where the layout has pages.

/**
 * Turns to the page that has a place of the article. In the layout without pages, nothing happens.
 * @param {Element | Range} place
 * @returns {boolean} whether the layout has pages, so that there is nothing to scroll to
 */
export function showOnPage(place) {
  const { startContainer } = place;
  const element = startContainer?.parentElement ?? place;
  const event = new CustomEvent('show-on-page', { detail: place, bubbles: true, cancelable: true });
  return !element.dispatchEvent(event);
}

/**
 * Tells whether the layout has pages.
 * @returns {boolean}
 */
export function hasPages() {
  return document.documentElement.dataset.layout === 'pages';
}
