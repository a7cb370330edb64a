// A list that changes while somebody reads it. Who stays in it keeps the row, and with it the focus and the place on the page.
import { doing } from '/doing.js';
import { filling } from '/listing.js';
import { number } from '/numbers.js';
import { look } from './looking.js';

const $ = (selector, root) => root.querySelector(selector);
const PAGE = 50;

/**
 * What brings a section up to date, and answers whether something is happening there. `load` is given how many rows are wanted,
 * and gives these and how many there are in all; `row` makes an element and what paints a thing into it; `settle` is given what
 * was loaded and tells whether something is happening; `few` are shown until more are wanted.
 */
export function live(section, load, row, settle = () => false, few = PAGE) {
  const rows = $('.rows', section), more = $('.more', section), badge = $('h2 .badge', section), put = keeping(rows, row);
  let wanted = few, isBusy = false;
  const refresh = filling(section, async () => {
    const { things, total } = await load(wanted);
    const focused = section.contains(document.activeElement) ? document.activeElement : null, item = focused?.closest('li');
    put(things);
    if (more) more.hidden = total <= things.length;
    if (badge) [badge.textContent, badge.hidden] = [number(total), !total];
    isBusy = settle({ things, total });
    if (focused) refocus(focused, item, section);
    return total;
  });
  rows.ariaBusy = 'true';
  $('.again', section).onclick = doing(look);
  if (more) more.onclick = doing(() => { wanted += PAGE; return look(); });
  return async () => {
    isBusy = false;  // what does not come is not asked for in a hurry
    await refresh();
    rows.ariaBusy = null;
    return isBusy;
  };
}

function keeping(rows, row) {
  const shown = new Map();  // id → { element, paint }
  return (things) => {
    const ids = new Set(things.map(({ id }) => id));
    for (const [id, { element }] of shown) if (!ids.has(id)) { element.remove(); shown.delete(id); }
    let place = rows.firstElementChild;
    for (const thing of things) {
      if (!shown.has(thing.id)) shown.set(thing.id, row());
      const { element, paint } = shown.get(thing.id);
      paint(thing);
      if (element === place) place = place.nextElementSibling; else rows.insertBefore(element, place);
    }
  };
}

// Whose button has gone goes on from its row, and whose row has gone from the section's name.
function refocus(focused, item, section) {
  const stays = (element) => element?.isConnected && element.checkVisibility();
  if (document.activeElement === focused && stays(focused)) return;
  [focused, item && $('a', item), $('h2', section)].find(stays).focus({ preventScroll: true });
}

/** Puts a part of a row in another's place, unless it shows the same: who has marked some of it keeps that. */
export function swap(old, fresh) {
  if (old.isEqualNode(fresh)) return old;
  old.replaceWith(fresh);
  return fresh;
}
