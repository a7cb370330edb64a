// The shelf above To Read with what the user has begun to read.

import { restRequest } from '../shared/api/session.js';
import { linkHost, linkTitle } from '../shared/links/link-text.js';
import { joinFacts, t } from '../shared/locale/translate.js';
import { createElement } from '../shared/ui/elements.js';
import { readListOptions } from './list-options.js';

const MAX_LINKS = 3;

/** A link counts as begun between these fractions. */
const BEGUN = 'percentage_complete=gte.0.01&percentage_complete=lte.0.99';

const LINK = 'links!inner(id,raw_url,resolved_url,title,title_is_text,site_name,list)';

let isFollowing = false;

/** The number of the last request for the shelf. */
let asked = 0;

/**
 * Shows the links read last that are not finished, or hides the shelf if there is none.
 * @param {HTMLElement} shelf
 * @param {import('./link-list.js').LinkList} list
 */
export async function showShelf(shelf, list) {
  follow(shelf, list);
  asked += 1;
  const number = asked;
  if (list.name !== 'read' || !readListOptions().shelf) {
    shelf.querySelector('ul').replaceChildren();
    shelf.hidden = true;
    return;
  }
  const page = `order=last_updated.desc&limit=${MAX_LINKS}`;
  const query = `select=percentage_complete,${LINK}&links.list=eq.read&${BEGUN}&${page}`;
  const rows = await restRequest(`reading_progress?${query}`).catch(() => []);
  // An older answer does not replace a newer one.
  if (number !== asked) return;
  const items = rows.map(({ percentage_complete, links: link }) => {
    const read = t('{percent}% read', { percent: Math.round(percentage_complete * 100) });
    const item = createElement('li', {}, createElement('a', { href: `#/link/${link.id}` },
      createElement('span', { className: 'title', dir: 'auto' }, linkTitle(link)),
      createElement('span', { className: 'facts' }, joinFacts([linkHost(link), read]))));
    item.dataset.link = link.id;
    return item;
  });
  shelf.querySelector('ul').replaceChildren(...items);
  showItems(shelf, list);
}

function follow(shelf, list) {
  if (isFollowing) return;
  isFollowing = true;
  // The place in the article that was just left may be stored after the list was shown.
  addEventListener('progress-saved', () => shelf.parentElement.checkVisibility() && showShelf(shelf, list));
  list.store.onChange(() => showItems(shelf, list));
  list.store.onRemove((id) => {
    shelf.querySelector(`[data-link="${id}"]`)?.remove();
    showItems(shelf, list);
  });
}

// A link that is archived or deleted in the list leaves the shelf, until that is undone.
function showItems(shelf, list) {
  for (const item of shelf.querySelectorAll('li')) {
    const id = item.dataset.link;
    item.hidden = list.isHidden(list.store.get(id) ?? { id, list: 'read' });
  }
  shelf.hidden = list.name !== 'read' || !shelf.querySelector('li:not([hidden])');
}
