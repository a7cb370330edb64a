// The line above the list: order, filters by kind and site, saving a search, a random pick, and help.

import { restRequest } from '../shared/api/session.js';
import { formatCount, formatNumber } from '../shared/format/numbers.js';
import { searchLinks } from '../shared/offline/offline-links.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createElement } from '../shared/ui/elements.js';
import { showToast } from '../shared/ui/toast.js';
import { LIST_QUERIES, termValue, withTerm } from './query-text.js';
import { searchHash } from './route.js';

const KINDS = { article: 'Articles', video: 'Videos', audio: 'Audio', pdf: 'PDF', image: 'Images' };

/** Sites that the filter shows at once. */
const MAX_SITES = 12;

const rpc = (name, body) => restRequest(`rpc/${name}`, { method: 'POST', body });

export class ListTools {
  #tools;
  #filters;
  #query;
  #domains = [];

  /**
   * @param {HTMLElement} tools
   * @param {object} options
   * @param {HTMLElement} options.filters the popover
   * @param {HTMLDialogElement} options.help
   * @param {(query: string) => void} options.onSave saves a search
   */
  constructor(tools, { filters, help, onSave }) {
    this.#tools = tools;
    this.#filters = filters;
    this.#part('select').onchange = ({ target }) => this.#go('sort', target.value);
    this.#part('.random').onclick = busyWhile(() => this.#openRandom());
    this.#part('.save-search').onclick = () => onSave(this.#query);
    this.#part('.search-help').onclick = () => help.showModal();
    filters.addEventListener('beforetoggle', ({ newState }) => newState === 'open' && this.#showFilters());
    filters.querySelector('input').oninput = () => this.#showSites();
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
    const { count } = isSearch ? await rpc('count_links', { query }).catch(() => ({})) : {};
    if (query === this.#query && count !== undefined) found.textContent = formatCount(count, 'link');
  }

  #go(key, value) {
    const query = withTerm(this.#query, key, value);
    const list = Object.entries(LIST_QUERIES).find(([, each]) => each === query)?.[0];
    location.hash = list ? `#/${list}` : searchHash(query);
    if (this.#filters.matches(':popover-open')) this.#filters.hidePopover();
  }

  async #openRandom() {
    const { links } = await searchLinks(withTerm(this.#query, 'sort', 'random'), 1);
    if (links.length) location.hash = `#/link/${links[0].id}`;
    else showToast('There is no link to pick from.');
  }

  async #showFilters() {
    const query = this.#query;
    this.#domains = [];
    this.#filters.querySelector('input').value = '';
    this.#filters.querySelector('.kinds').replaceChildren();
    this.#showSites();
    try {
      const withoutSite = withTerm(query, 'site', '');
      const withoutKind = withTerm(query, 'kind', '');
      const [domains, ...counts] = await Promise.all([
        rpc('domains', { query: withoutSite }),
        ...Object.keys(KINDS).map((kind) => rpc('count_links', { query: `${withoutKind} kind:${kind}`.trim() })),
      ]);
      if (query !== this.#query) return;
      this.#domains = domains;
      const kinds = Object.entries(KINDS).map(([value, label], index) =>
        this.#filterButton('kind', value, label, counts[index].count));
      this.#filters.querySelector('.kinds').replaceChildren(...kinds);
      this.#showSites();
    } catch (error) {
      showToast(error.message);
    }
  }

  #showSites() {
    const text = this.#filters.querySelector('input').value.trim().toLowerCase();
    const sites = this.#domains.filter(({ domain }) => domain?.toLowerCase().includes(text)).slice(0, MAX_SITES);
    this.#filters.querySelector('.sites')
      .replaceChildren(...sites.map(({ domain, count }) => this.#filterButton('site', domain, domain, count)));
  }

  // Pressing the button of the filter that is on takes it off.
  #filterButton(key, value, label, count) {
    const isOn = termValue(this.#query, key) === value;
    const button = createElement('button', { ariaPressed: String(isOn) }, label, ' ',
      createElement('span', { className: 'count' }, formatNumber(count)));
    button.onclick = () => this.#go(key, isOn ? '' : value);
    return createElement('li', {}, button);
  }

  #part(selector) {
    return this.#tools.querySelector(selector);
  }
}
