// A section with a list that is refreshed while the user reads it. Rows of items that stay in the list are
// kept, and with them the focus and the scroll position.

import { formatNumber } from '../shared/format/numbers.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { sectionUpdater } from '../shared/ui/list-section.js';
import { refreshNow } from './polling.js';

/** Rows that one press of "Show more" adds. */
const PAGE_SIZE = 50;

/** @typedef {{id: string | number, [key: string]: any}} Item */

/**
 * @typedef {object} LiveRow
 * @property {HTMLLIElement} element
 * @property {(item: Item) => void} render renders an item into the element
 */

/**
 * Sets up a section.
 * @param {HTMLElement} section with `.rows`, `.list-status` and `.retry`, and optionally `.more` and a badge for
 *   the total
 * @param {object} options
 * @param {(limit: number) => Promise<{items: Item[], total: number}>} options.load returns at most `limit`
 *   items
 * @param {() => LiveRow} options.createRow
 * @param {(result: {items: Item[], total: number}) => boolean} [options.isActive] whether something is
 *   happening in the section, so that it is refreshed soon; never unless given
 * @param {(result: {items: Item[], total: number}) => void} [options.onLoaded] called after each load
 * @param {number} [options.pageSize] how many items are shown at first
 * @returns {import('./polling.js').Refresh}
 */
export function setUpLiveSection(section, options) {
  const { load, createRow, isActive = () => false, onLoaded = () => {}, pageSize = PAGE_SIZE } = options;
  const rows = section.querySelector('.rows');
  const more = section.querySelector('.more');
  const badge = section.querySelector('h2 .badge');
  const renderRows = rowRenderer(rows, createRow);
  let limit = pageSize;
  let isActiveNow = false;

  const update = sectionUpdater(section, async () => {
    const result = await load(limit);
    const { items, total } = result;
    const focused = section.contains(document.activeElement) ? document.activeElement : null;
    const focusedRow = focused?.closest('li');
    renderRows(items);
    if (more) more.hidden = total <= items.length;
    if (badge) {
      badge.textContent = formatNumber(total);
      badge.hidden = !total;
    }
    onLoaded(result);
    isActiveNow = isActive(result);
    if (focused) restoreFocus(focused, focusedRow, section);
    return total;
  });

  rows.ariaBusy = 'true';
  section.querySelector('.retry').onclick = busyWhile(refreshNow);
  if (more) {
    more.onclick = busyWhile(() => {
      limit += PAGE_SIZE;
      return refreshNow();
    });
  }
  return async () => {
    // A section that fails to load does not count as active.
    isActiveNow = false;
    await update();
    rows.ariaBusy = null;
    return isActiveNow;
  };
}

// Returns a function that shows items, and reuses the rows of those that are shown already.
function rowRenderer(rows, createRow) {
  /** @type {Map<string | number, LiveRow>} */
  const rowById = new Map();
  return (items) => {
    const ids = new Set(items.map(({ id }) => id));
    for (const [id, { element }] of rowById) {
      if (ids.has(id)) continue;
      element.remove();
      rowById.delete(id);
    }
    let place = rows.firstElementChild;
    for (const item of items) {
      if (!rowById.has(item.id)) rowById.set(item.id, createRow());
      const { element, render } = rowById.get(item.id);
      render(item);
      if (element === place) place = place.nextElementSibling;
      else rows.insertBefore(element, place);
    }
  };
}

// If the focused button is gone, the focus moves to the link of its row; if the row is gone, to the section's
// heading.
function restoreFocus(focused, row, section) {
  const isShown = (element) => element?.isConnected && element.checkVisibility();
  if (document.activeElement === focused && isShown(focused)) return;
  const candidates = [focused, row?.querySelector('a'), section.querySelector('h2')];
  candidates.find(isShown).focus({ preventScroll: true });
}
