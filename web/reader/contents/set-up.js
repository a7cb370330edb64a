// The contents of the open article: its headings, to jump to. They are beside the text where there is room, else
// between the title and the text.

import { createElement } from '../../shared/ui/elements.js';
import { hasPages, showOnPage } from '../pages/show-on-page.js';
import { isFramed, placeExtent, screenExtent } from '../writing/axis.js';
import { currentIndex, headingDepths } from './headings.js';

/** With fewer headings, a list of them is of no use. */
const MIN_HEADINGS = 3;

/** The room that the list needs beside the text, in pixels. */
const ROOM = 280;

/** A heading is current from this part of the window on. */
const CURRENT = 0.3;

/**
 * Sets up the contents.
 * @param {HTMLElement} reader dispatches `article-shown` and `article-closed`
 */
export function setUpContents(reader) {
  const article = reader.querySelector('article');
  const body = reader.querySelector('.body');
  const nav = reader.querySelector('.contents');
  const details = nav.querySelector('details');
  const list = nav.querySelector('ol');
  let headings = [];
  let isWaiting = false;

  function show() {
    headings = [...body.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(({ textContent }) => textContent.trim());
    const depths = headingDepths(headings.map(({ localName }) => Number(localName[1])));
    list.replaceChildren(...headings.map((heading, index) => createItem(heading, depths[index])));
    nav.hidden = headings.length < MIN_HEADINGS;
    place();
    details.open = 'beside' in nav.dataset;
  }

  function createItem(heading, depth) {
    const button = createElement('button', { type: 'button', dir: 'auto' }, heading.textContent.trim());
    button.onclick = () => jump(heading);
    const item = createElement('li', {}, button);
    item.dataset.depth = depth;
    return item;
  }

  function jump(heading) {
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    if (!showOnPage(heading)) heading.scrollIntoView({ behavior });
  }

  function place() {
    if (nav.hidden) return;
    const wasBeside = 'beside' in nav.dataset;
    // The list of links may be at the side of the window.
    const [text, all] = [article, reader.parentNode].map((each) => each.getBoundingClientRect());
    const room = getComputedStyle(article).direction === 'rtl' ? all.right - text.right : text.left - all.left;
    const isBeside = !isFramed() && room >= ROOM;
    nav.toggleAttribute('data-beside', isBeside);
    if (wasBeside !== isBeside) details.open = isBeside;
    markCurrent();
  }

  function markCurrent() {
    isWaiting = false;
    const { start, end } = screenExtent();
    // A page is read from its beginning, so all its headings have been reached.
    const reached = hasPages() ? end : start + (end - start) * CURRENT;
    const current = currentIndex(headings.length, (index) => placeExtent(headings[index]).start <= reached);
    const items = [...list.children];
    const before = list.querySelector('[aria-current]');
    const button = items[current]?.firstChild;
    if (button === before) return;
    if (before) before.ariaCurrent = null;
    if (!button) return;
    button.ariaCurrent = 'location';
    // Scrolls the list alone.
    const { offsetTop, offsetHeight } = button;
    const isInView = offsetTop >= nav.scrollTop && offsetTop + offsetHeight <= nav.scrollTop + nav.clientHeight;
    if (!isInView) nav.scrollTop = offsetTop - nav.clientHeight / 2;
  }

  // Pages and vertical lines are scrolled inside the article.
  addEventListener('scroll', () => {
    if (isWaiting || nav.hidden) return;
    isWaiting = true;
    requestAnimationFrame(markCurrent);
  }, { passive: true, capture: true });
  for (const type of ['resize', 'textsettings']) addEventListener(type, place);
  reader.addEventListener('article-shown', show);
  reader.addEventListener('article-closed', () => {
    headings = [];
    nav.hidden = true;
  });
}
