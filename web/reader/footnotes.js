// Footnotes of an article: links to places inside it.

import { showOnPage } from './pages/show-on-page.js';

/** @param {HTMLElement} reader */
export function setUpFootnotes(reader) {
  reader.addEventListener('click', (event) => {
    const link = event.target.closest('.body a[href^="#lct-"]');
    if (!link) return;
    // Following the link would replace the fragment that names the open link.
    event.preventDefault();
    focusFootnote(link);
  });
}

// Scrolls to the place that a footnote link names and moves the focus there.
function focusFootnote(link) {
  const place = document.getElementById(link.getAttribute('href').slice(1)) ?? link;
  place.tabIndex = place === link ? 0 : -1;
  if (!showOnPage(place)) place.scrollIntoView({ block: 'center' });
  place.focus({ preventScroll: true });
}
