// Turning the pages of an article: with the keyboard, the wheel, a swipe, a click at the sides, and two buttons. The
// keyboard and the wheel scroll an article with vertical lines, too.

import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { isFramed, isNextLeft } from '../writing/axis.js';
import { scrollByKey, scrollByWheel } from '../writing/scrolling.js';
import { turnOfKey, turnOfSide } from './page-layout.js';
import { hasPages } from './show-on-page.js';

/** These do something else with a click or with keys. */
const INTERACTIVE = 'a, button, input, textarea, select, summary, label, mark[data-highlights], [role="button"]';
const FIELDS = 'input, textarea, select, [contenteditable]';
const SCROLLERS = 'pre, table, math, #highlights, #footnote, .notes';

/** A click turns in this part of the article's width, counted from either side. */
const SIDE = 0.2;

/** A swipe is this long at least, in pixels, and this many times longer than high. */
const SWIPE = 45;
const SWIPE_RATIO = 1.5;

/** A wheel turns one page for this way, in pixels, and not more than one in this time. */
const WHEEL = 50;
const WHEEL_PAUSE_MS = 250;

/**
 * Sets up the ways to turn pages.
 * @param {HTMLElement} section the reader
 * @param {import('./paged-text.js').PagedText} text
 */
export function setUpTurning(section, text) {
  const article = section.querySelector('article');
  const isMovable = () => isFramed() && !section.hidden && !document.querySelector('dialog[open], :popover-open');
  const isOn = () => hasPages() && isMovable();
  const turnTo = (side) => text.turn(turnOfSide(side, isNextLeft()));

  const strip = section.querySelector('.reading-progress');
  const createButton = (name, sign, count) => {
    const button = createElement('button', { type: 'button', className: 'turn', ariaLabel: name, title: name }, sign);
    button.onclick = () => text.turn(count);
    return button;
  };
  strip.querySelector('progress').after(createButton(t('Previous page'), '‹', -1));
  strip.append(createButton(t('Next page'), '›', 1));

  document.addEventListener('keydown', (event) => {
    const { key, target, shiftKey: isShifted } = event;
    if (!isMovable() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest(FIELDS) || target.closest(SCROLLERS) || (key === ' ' && target.closest(INTERACTIVE))) return;
    const count = turnOfKey(key, { isShifted, isRightToLeft: isNextLeft() });
    if (!count) return;
    event.preventDefault();
    if (hasPages()) text.turn(count);
    else scrollByKey(key, count, event.repeat);
  });

  section.addEventListener('click', ({ target, clientX, detail }) => {
    const isText = target === section || article.contains(target);
    const isCovered = section.querySelector('#highlights:not([hidden])');
    if (!isOn() || !isText || isCovered || detail !== 1 || target.closest(INTERACTIVE)) return;
    if (!getSelection().isCollapsed || target.closest('img[data-enlargeable]')) return;
    const { left, right, width } = article.getBoundingClientRect();
    if (clientX < left + width * SIDE) turnTo('left');
    else if (clientX > right - width * SIDE) turnTo('right');
  });

  let touched = null;
  section.addEventListener('touchstart', ({ touches, target }) => {
    const isUsable = isOn() && touches.length === 1 && !isScrollable(target, section);
    touched = isUsable ? { x: touches[0].clientX, y: touches[0].clientY } : null;
  }, { passive: true });
  section.addEventListener('touchend', ({ changedTouches: [touch] }) => {
    if (!touched || !getSelection().isCollapsed) return;
    const x = touch.clientX - touched.x;
    const y = touch.clientY - touched.y;
    touched = null;
    if (Math.abs(x) >= Math.max(SWIPE, SWIPE_RATIO * Math.abs(y))) turnTo(x < 0 ? 'right' : 'left');
  });

  let way = 0;
  let turnedAt = 0;
  article.addEventListener('wheel', (event) => {
    if (!isMovable() || event.ctrlKey || isScrollable(event.target, article, { isDownOnly: !hasPages() })) return;
    if (!hasPages()) {
      scrollByWheel(event);
      return;
    }
    event.preventDefault();
    way += Math.abs(event.deltaY) > Math.abs(event.deltaX) ? event.deltaY : event.deltaX;
    if (Math.abs(way) < WHEEL) return;
    const now = event.timeStamp;
    if (now - turnedAt >= WHEEL_PAUSE_MS) {
      turnedAt = now;
      text.turn(Math.sign(way));
    }
    way = 0;
  }, { passive: false });
}

// Whether an element, or one around it, scrolls by itself.
function isScrollable(element, root, { isDownOnly = false } = {}) {
  for (let each = element; each && each !== root && each.localName !== 'article'; each = each.parentElement) {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = each;
    const isLarger = (!isDownOnly && scrollWidth > clientWidth + 1) || scrollHeight > clientHeight + 1;
    if (isLarger && /auto|scroll/.test(getComputedStyle(each).overflow)) return true;
  }
  return false;
}
