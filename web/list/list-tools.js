// The line above the list: order, filters by kind and site, saving a search, a random pick, and help.

import { restRequest } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { onceWanted } from './lazy-parts.js';
import { LIST_QUERIES, termValue, withTerm } from './query-text.js';
import { searchHash } from './route.js';

export class ListTools {
  #tools;
  #filters;
  #query;

  /**
   * @param {HTMLElement} tools
   * @param {object} options
   * @param {HTMLElement} options.filters the popover
   * @param {HTMLDialogElement} options.help
   * @param {(query: string) => void} options.onSave saves a search
   * @param {(query: string) => Promise<any>} options.onMakeBook makes a book of what a query finds
   */
  constructor(tools, { filters, help, onSave, onMakeBook }) {
    this.#tools = tools;
    this.#filters = filters;
    this.#part('select').onchange = ({ target }) => this.#go('sort', target.value);
    const random = onceWanted(() => import('./random-link.js'));
    this.#part('.random').onclick = busyWhile(async () => (await random()).openRandomLink(this.#query));
    this.#part('.save-search').onclick = () => onSave(this.#query);
    this.#part('.make-book').onclick = busyWhile(() => onMakeBook(this.#query));
    this.#part('.search-help').onclick = () => help.showModal();
    const panel = onceWanted(async () => {
      const { FilterPanel } = await import('./filter-panel.js');
      return new FilterPanel(filters, (key, value) => this.#go(key, value));
    });
    filters.addEventListener('beforetoggle', async ({ newState }) => {
      if (newState === 'open') (await panel()).show(this.#query);
    });
  }

  /**
   * Shows what belongs to a list or a search.
   * @param {string} query
   * @param {boolean} isSearch
   */
  async show(query, isSearch) {
    this.#query = query;
    const isFiltered = ['kind', 'site'].some((key) => termValue(query, key));
    this.#part('select').value = termValue(query, 'sort');
    this.#part('.filter').dataset.on = isFiltered;
    this.#part('.save-search').hidden = !isSearch;
    const found = this.#part('.found');
    if (!isSearch) found.textContent = '';
    const { count } = isSearch ? await countLinks(query).catch(() => ({})) : {};
    if (query === this.#query && count !== undefined) found.textContent = t('{n} link|{n} links', { n: count });
  }

  #go(key, value) {
    const query = withTerm(this.#query, key, value);
    const list = Object.entries(LIST_QUERIES).find(([, each]) => each === query)?.[0];
    location.hash = list ? `#/${list}` : searchHash(query);
    if (this.#filters.matches(':popover-open')) this.#filters.hidePopover();
  }

  #part(selector) {
    return this.#tools.querySelector(selector);
  }
}

function countLinks(query) {
  return restRequest('rpc/count_links', { method: 'POST', body: { query } });
}
