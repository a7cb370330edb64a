// Footnotes of an article: links to places inside it.

/**
 * Returns the footnote link that contains an element, or null.
 * @param {Element} element
 * @returns {HTMLAnchorElement | null}
 */
export function footnoteLink(element) {
  return element.closest('.body a[href^="#lct-"]');
}

/**
 * Scrolls to the place that a footnote link names and moves the focus there.
 * @param {HTMLAnchorElement} link
 */
export function focusFootnote(link) {
  const place = document.getElementById(link.getAttribute('href').slice(1)) ?? link;
  place.tabIndex = place === link ? 0 : -1;
  place.scrollIntoView({ block: 'center' });
  place.focus({ preventScroll: true });
}
