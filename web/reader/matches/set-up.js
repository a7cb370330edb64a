// The matches of the search that led to the open article: marked in its text, with a bar that leads from one to the
// next. The marks are highlights of CSS, so the nodes of the article stay as they are.

import { parseRoute, searchHash } from '../../list/route.js';
import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { ArticleText } from '../article-text.js';
import { firstIndex } from '../binary-search.js';
import { showOnPage } from '../pages/show-on-page.js';
import { placeExtent, readingStart, screenExtent, scrollAlong } from '../writing/axis.js';
import { findMatches } from './find-matches.js';

const MATCH = 'search-match';
const CURRENT = 'search-match-current';

/**
 * Sets up the marks and the bar.
 * @param {HTMLElement} reader dispatches `article-shown` and `article-closed`
 * @param {HTMLAnchorElement} backLink leads to the list or search from which the article was opened
 */
export function setUpMatches(reader, backLink) {
  const body = reader.querySelector('.body');
  const createButton = (name, sign, onclick) => (
    createElement('button', { type: 'button', ariaLabel: name, title: name, onclick }, sign)
  );
  const status = createElement('span', { role: 'status' });
  const bar = createElement('div', { id: 'matches', role: 'group', ariaLabel: t('Search matches'), hidden: true },
    status,
    createButton(t('Previous match'), '‹', () => go(-1)),
    createButton(t('Next match'), '›', () => go(1)),
    createButton(t('Hide matches'), '✕', () => {
      hiddenQuery = query;
      close();
      reader.querySelector('h1').focus({ preventScroll: true });
    }));
  reader.querySelector('.foot').prepend(bar);
  let query = '';
  /** The search whose matches the user does not want to see. */
  let hiddenQuery = null;
  /** @type {import('./find-matches.js').TextRange[]} */
  let matches = [];
  let ranges = [];
  let current = -1;

  function open() {
    query = searchOf(backLink);
    matches = query && query !== hiddenQuery ? findMatches(new ArticleText(body).text, query) : [];
    current = -1;
    bar.hidden = !matches.length;
    paint();
    showStatus();
  }

  function close() {
    matches = [];
    bar.hidden = true;
    paint();
  }

  function paint() {
    const text = matches.length ? new ArticleText(body) : null;
    ranges = matches.map((match) => text.rangeOf(match));
    if (ranges.length) CSS.highlights?.set(MATCH, new Highlight(...ranges));
    else CSS.highlights?.delete(MATCH);
    paintCurrent();
  }

  function paintCurrent() {
    const range = ranges[current];
    if (!range) {
      CSS.highlights?.delete(CURRENT);
      return;
    }
    const highlight = new Highlight(range);
    highlight.priority = 1;
    CSS.highlights?.set(CURRENT, highlight);
  }

  function showStatus() {
    const n = matches.length;
    const text = current < 0
      ? t('{n} match|{n} matches', { n })
      : t('{number} of {n} match|{number} of {n} matches', { number: current + 1, n });
    if (status.textContent !== text) status.textContent = text;
  }

  // The first step leads to the nearest match from what is on the screen; after the last match comes the first.
  function go(step) {
    const { length } = ranges;
    const start = readingStart();
    const next = firstIndex(length, (index) => placeExtent(ranges[index]).end > start);
    const wanted = current >= 0 ? current + step : next - (step < 0 ? 1 : 0);
    current = (wanted + length) % length;
    showStatus();
    paintCurrent();
    show(ranges[current]);
  }

  // Highlights of the user split the nodes of the text.
  new MutationObserver(() => matches.length && paint()).observe(body, { childList: true, subtree: true });
  reader.addEventListener('article-shown', open);
  reader.addEventListener('article-closed', close);
}

function show(range) {
  const folded = range.startContainer.parentElement.closest('details:not([open])');
  if (folded) folded.open = true;
  if (showOnPage(range)) return;
  const [place, screen] = [placeExtent(range), screenExtent()];
  scrollAlong((place.start + place.end - screen.start - screen.end) / 2, 'instant');
}

// The search is kept with the entry of the history, so that it is known after a reload, too.
function searchOf(backLink) {
  const { query } = parseRoute(backLink.hash);
  const kept = history.state?.query;
  if (query && query !== kept) history.replaceState({ ...history.state, query }, '');
  if (!query && kept) backLink.hash = searchHash(kept);
  return query ?? kept ?? '';
}
