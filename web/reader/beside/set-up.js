// The list beside the open article, on wide screens and for those who want it. What draws it is loaded when it is shown
// first.

import { loadStyles } from '../../shared/ui/styles.js';

/** The width from which there is room for both, as in `beside.css`. */
const WIDE = matchMedia('(min-width: 1280px)');

/**
 * Sets up the list.
 * @param {HTMLElement} reader dispatches `article-shown` with `{link}` and `article-closed`
 * @param {() => Link[]} listedLinks returns the links of the list or search that the article was opened from
 * @typedef {import('../../shared/links/link-text.js').Link} Link
 */
export function setUpBeside(reader, listedLinks) {
  let isWanted = document.documentElement.dataset.beside === 'true';
  let shown = null;
  let list = null;

  async function show() {
    if (!shown || !isWanted || !WIDE.matches) return;
    const wanted = shown;
    await loadStyles('/reader/beside/beside.css');
    const { BesideList } = await import('./beside-list.js');
    list ??= new BesideList(reader);
    if (shown === wanted) await list.show(shown, listedLinks());
  }

  // Without it, an article is all the same complete.
  const tryToShow = () => show().catch(() => {});

  reader.addEventListener('article-shown', ({ detail: { link } }) => {
    shown = link;
    tryToShow();
  });
  reader.addEventListener('article-closed', () => {
    shown = null;
    const isNextOpened = location.hash.startsWith('#/link/');
    if (!isNextOpened) list?.clear();
  });
  addEventListener('textsettings', ({ detail: { beside } }) => {
    if (beside === isWanted) return;
    isWanted = beside;
    tryToShow();
  });
  WIDE.addEventListener('change', tryToShow);
}
