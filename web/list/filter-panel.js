// The panel that filters a list by kind and site.

import { restRequest } from '../shared/api/session.js';
import { formatNumber } from '../shared/format/numbers.js';
import { t } from '../shared/locale/translate.js';
import { createElement } from '../shared/ui/elements.js';
import { showError } from '../shared/ui/toast.js';
import { termValue, withTerm } from './query-text.js';

const KINDS = {
  article: t('Articles'), video: t('Videos'), audio: t('Audio'), pdf: t('PDF'), image: t('Images'),
};

/** Sites that are shown at once. */
const MAX_SITES = 12;

const rpc = (name, body) => restRequest(`rpc/${name}`, { method: 'POST', body });

export class FilterPanel {
  #panel;
  #onChosen;
  #query;
  #domains = [];

  /**
   * @param {HTMLElement} panel
   * @param {(key: 'kind' | 'site', value: string) => void} onChosen called with an empty value for no filter
   */
  constructor(panel, onChosen) {
    this.#panel = panel;
    this.#onChosen = onChosen;
    panel.querySelector('input').oninput = () => this.#showSites();
  }

  /**
   * Loads and shows what the links of a query can be filtered by.
   * @param {string} query
   */
  async show(query) {
    this.#query = query;
    this.#domains = [];
    this.#panel.querySelector('input').value = '';
    this.#panel.querySelector('.kinds').replaceChildren();
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
      this.#panel.querySelector('.kinds').replaceChildren(...kinds);
      this.#showSites();
    } catch (error) {
      showError(error);
    }
  }

  #showSites() {
    const text = this.#panel.querySelector('input').value.trim().toLowerCase();
    const sites = this.#domains.filter(({ domain }) => domain?.toLowerCase().includes(text)).slice(0, MAX_SITES);
    this.#panel.querySelector('.sites')
      .replaceChildren(...sites.map(({ domain, count }) => this.#filterButton('site', domain, domain, count)));
  }

  // Pressing the button of the filter that is on takes it off.
  #filterButton(key, value, label, count) {
    const isOn = termValue(this.#query, key) === value;
    const button = createElement('button', { ariaPressed: String(isOn) }, label, ' ',
      createElement('span', { className: 'count' }, formatNumber(count)));
    button.onclick = () => this.#onChosen(key, isOn ? '' : value);
    return createElement('li', {}, button);
  }
}
