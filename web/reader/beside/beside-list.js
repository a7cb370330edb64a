// Draws the list beside the open article.

import { linkFacts, linkHost, linkTitle } from '../../shared/links/link-text.js';
import { t } from '../../shared/locale/translate.js';
import { fetchLinks } from '../../shared/offline/offline-links.js';
import { createElement } from '../../shared/ui/elements.js';
import { linksAround } from './links-around.js';

/** How many links are fetched when the article was not opened from a list. */
const FETCHED = 50;

/** @typedef {import('../../shared/links/link-text.js').Link} Link */

export class BesideList {
  #items = createElement('ul');
  /** @type {Link[]} */
  #links = [];
  #openId = null;

  /** @param {HTMLElement} reader */
  constructor(reader) {
    const list = createElement('nav', { className: 'beside' }, this.#items);
    list.ariaLabel = t('List beside the article');
    reader.prepend(list);
  }

  /**
   * Shows the list of the open article.
   * @param {Link} open
   * @param {Link[]} listed the links of the list that the article was opened from, if any
   */
  async show(open, listed) {
    this.#openId = open.id;
    const has = (links) => links.some(({ id }) => id === open.id);
    if (has(listed)) this.#render(linksAround(listed, open.id));
    else if (!has(this.#links)) {
      const fetched = await fetchLinks(open.list, FETCHED);
      if (this.#openId !== open.id) return;
      this.#render(has(fetched) ? fetched : [open, ...fetched]);
    }
    this.#mark();
  }

  /** Forgets the links. */
  clear() {
    this.#openId = null;
    this.#links = [];
    this.#items.replaceChildren();
  }

  #render(links) {
    const isSame = links.length === this.#links.length && links.every(({ id }, index) => id === this.#links[index].id);
    this.#links = links;
    if (!isSame) this.#items.replaceChildren(...links.map(createItem));
  }

  #mark() {
    for (const item of this.#items.children) {
      const isOpen = item.dataset.link === this.#openId;
      item.firstChild.ariaCurrent = isOpen ? 'page' : null;
      // Scrolls the list alone.
      const list = this.#items.parentNode;
      const isInView = item.offsetTop >= list.scrollTop
        && item.offsetTop + item.offsetHeight <= list.scrollTop + list.clientHeight;
      if (isOpen && !isInView) list.scrollTop = item.offsetTop - list.clientHeight / 3;
    }
  }
}

function createItem(link) {
  const title = createElement('b', { dir: 'auto' }, linkTitle(link));
  const facts = createElement('span', { dir: 'auto' }, linkFacts(link, linkHost(link)));
  const item = createElement('li', {}, createElement('a', { href: `#/link/${link.id}` }, title, facts));
  item.dataset.link = link.id;
  return item;
}
