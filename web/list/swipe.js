// Swiping a card on a touch screen: to the right it is archived or moved back, to the left it is deleted, unless the
// user has chosen something else. All of it can be undone, and has buttons.

import { readListOptions } from './list-options.js';

/** Pixels after which a movement counts as a swipe. */
const START_PX = 12;

/** The part of the card's width after which letting go runs the action. */
const RUN_AT = 0.3;

/**
 * The action of a swipe over so many pixels; empty if it is too short to run one.
 * @param {number} pixels to the right; negative to the left
 * @param {number} width of the card
 * @param {import('./list-options.js').ListOptions} options
 * @returns {string} a `data-do` value
 */
export function swipeAction(pixels, width, options) {
  if (!pixels || Math.abs(pixels) < RUN_AT * width) return '';
  return pixels > 0 ? options.right : options.left;
}

/** @param {HTMLElement} rows the element whose children are the cards */
export function setUpSwipes(rows) {
  rows.addEventListener('pointerdown', (event) => {
    const row = event.target.closest('[data-id]');
    if (event.pointerType !== 'touch' || !row || rows.classList.contains('selecting')) return;
    follow(event, row);
  });
}

function follow({ pointerId, clientX, clientY }, row) {
  const card = row.firstElementChild;
  const end = new AbortController();
  const options = readListOptions();
  let pixels = 0;
  const listen = (type, listener) =>
    row.ownerDocument.addEventListener(type, (event) => event.pointerId === pointerId && listener(event), {
      signal: end.signal,
    });

  listen('pointermove', (event) => {
    const [right, down] = [event.clientX - clientX, event.clientY - clientY];
    const isSwipe = row.dataset.swipe !== undefined || (Math.abs(right) > START_PX && Math.abs(right) > Math.abs(down));
    if (!isSwipe) return;
    pixels = right;
    const name = right > 0 ? options.right : options.left;
    if (!name) {
      showNothing();
      return;
    }
    // Says what letting go would do.
    row.dataset.swipe = row.querySelector(`[data-do=${name}]`).ariaLabel;
    row.classList.toggle('swiped-left', right < 0);
    row.classList.toggle('swiped-far', swipeAction(right, row.offsetWidth, options) !== '');
    row.classList.toggle('swipe-deletes', name === 'delete');
    card.style.translate = `${right}px`;
  });
  listen('pointerup', () => {
    const action = swipeAction(pixels, row.offsetWidth, options);
    reset();
    if (action) row.querySelector(`[data-do=${action}]`).click();
  });
  // The browser scrolls the page instead.
  listen('pointercancel', reset);

  function reset() {
    end.abort();
    showNothing();
  }

  function showNothing() {
    delete row.dataset.swipe;
    row.classList.remove('swiped-left', 'swiped-far', 'swipe-deletes');
    card.style.translate = '';
  }
}
