// Links to places inside an article. A reference to a footnote shows the note in place; every other link leads there.

import { t } from '../shared/locale/translate.js';
import { createElement } from '../shared/ui/elements.js';
import { showOnPage } from './pages/show-on-page.js';

const INNER_LINK = 'a[href^="#lct-"]';

/** What a note stands in. */
const NOTE = 'li, p, dd, td, aside, div';

/**
 * A link in `sup`, or one with at most MAX_MARK characters and without a word, is the mark of a note. A note with more
 * than MAX_NOTE characters is read where it stands.
 */
const MAX_MARK = 6;
const MAX_NOTE = 2000;

/** Room between the window, the mark and the note, in pixels. */
const GAP = 8;

/** @param {HTMLElement} reader */
export function setUpFootnotes(reader) {
  let popover;
  let mark;
  reader.addEventListener('click', (event) => {
    const link = event.target.closest(`.body ${INNER_LINK}`);
    if (!link) return;
    // Following the link would replace the fragment that names the open link.
    event.preventDefault();
    const note = noteOf(link);
    if (!note) {
      focusPlace(link);
      return;
    }
    popover?.remove();
    mark = link;
    popover = createPopover(link, note);
    reader.append(popover);
    popover.showPopover();
    putBeside(popover, mark);
    popover.focus({ preventScroll: true });
  });
  const follow = () => popover?.matches(':popover-open') && putBeside(popover, mark);
  addEventListener('resize', follow);
  // An article with vertical lines is scrolled by itself.
  reader.querySelector('article').addEventListener('scroll', follow, { passive: true });
  // Another article or another layout.
  for (const type of ['hashchange', 'beforetextsettings']) addEventListener(type, () => popover?.remove());
}

const placeOf = (link) => document.getElementById(link.getAttribute('href').slice(1)) ?? link;

// The note that a link is the mark of, or undefined. Notes stand after their marks.
function noteOf(link) {
  const place = placeOf(link);
  const isBefore = link.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING;
  const mark = link.textContent.trim();
  const isMark = link.closest('sup') || mark.length <= MAX_MARK && !/\p{L}{2}/u.test(mark);
  if (!isBefore || !isMark) return undefined;
  const note = place.closest(NOTE);
  const length = note && !note.contains(link) ? note.textContent.trim().length : 0;
  return length > 0 && length <= MAX_NOTE ? note : undefined;
}

function createPopover(link, note) {
  const text = createElement('div', { className: 'text', dir: 'auto', lang: note.closest('[lang]').lang });
  text.append(...note.cloneNode(true).childNodes);
  // Links back to the paragraph of the mark, and ids that the article has. Other links inside the article are only text.
  const block = link.closest(NOTE);
  for (const inner of text.querySelectorAll(INNER_LINK)) {
    if (block?.contains(placeOf(inner))) inner.remove();
    else inner.replaceWith(...inner.childNodes);
  }
  for (const each of text.querySelectorAll('[id]')) each.removeAttribute('id');
  const go = createElement('button', { type: 'button', className: 'plain', textContent: t('Go to the note') });
  go.onclick = () => {
    popover.remove();
    focusPlace(link);
  };
  const popover = createElement('div', { id: 'footnote', popover: 'auto', role: 'dialog', tabIndex: -1 }, text, go);
  popover.ariaLabel = t('Note {mark}', { mark: link.textContent.trim() });
  return popover;
}

function putBeside(popover, mark) {
  const { left, top, bottom } = mark.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const x = Math.max(GAP, Math.min(left, document.documentElement.offsetWidth - width - GAP));
  const isAbove = bottom + GAP + height > innerHeight && top - GAP - height > 0;
  const wanted = isAbove ? top - GAP - height : bottom + GAP;
  const y = Math.max(GAP, Math.min(wanted, innerHeight - height - GAP));
  popover.style.setProperty('--x', `${x + scrollX}px`);
  popover.style.setProperty('--y', `${y + scrollY}px`);
}

// Scrolls to the place that a link names and moves the focus there.
function focusPlace(link) {
  const place = placeOf(link);
  place.tabIndex = place === link ? 0 : -1;
  if (!showOnPage(place)) place.scrollIntoView({ block: 'center' });
  place.focus({ preventScroll: true });
}
