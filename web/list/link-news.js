// What the page does when links are saved, fetched, merged or split.

import { fetchLink } from '../shared/links/links-api.js';
import { linkTitle } from '../shared/links/link-text.js';
import { isNewLink } from '../shared/links/saved-text.js';
import { t } from '../shared/locale/translate.js';
import { showNews, showToast } from '../shared/ui/toast.js';

/** The worker stores pictures after the article; they are looked up this long after a link became ready. */
const PICTURES_DELAY_MS = 4000;

/** @typedef {import('../shared/links/link-text.js').Link} Link */

function fetchedText(link) {
  const title = linkTitle(link);
  return link.state === 'ready' ? t('Ready: {title}', { title }) : t('Could not fetch: {title}', { title });
}

export class LinkNews {
  #store;
  #list;
  #article;
  #pollSoon;

  /**
   * @param {object} parts
   * @param {import('../shared/links/link-store.js').LinkStore} parts.store
   * @param {import('./link-list.js').LinkList} parts.list
   * @param {import('../reader/article-view.js').ArticleView} parts.article
   * @param {() => void} parts.pollSoon polls for news of pending links
   */
  constructor({ store, list, article, pollSoon }) {
    this.#store = store;
    this.#list = list;
    this.#article = article;
    this.#pollSoon = pollSoon;
  }

  /** @param {Link} link that is no longer pending */
  onFinished(link) {
    setTimeout(() => this.#list.loadDetails([link.id]), PICTURES_DELAY_MS);
    if (link.id === this.#article.linkId) this.#article.open(link.id, true);
    else showNews(fetchedText(link));
  }

  /**
   * A pending link that vanished was merged: the page it led to was saved before. The API answers with that older
   * link.
   * @param {string} id
   */
  async onVanished(id) {
    const link = await fetchLink(id);
    this.#store.remove(id);
    if (!link) return;
    showNews(t('Already saved: {title}', { title: linkTitle(link) }));
    if (link.list === this.#list.name) this.#addToTop(link);
    if (this.#article.linkId === id) location.replace(`#/link/${link.id}`);
  }

  /** @param {Link[]} links the two links after a merge was undone */
  onUnmerged(links) {
    const list = this.#list;
    for (const link of links) if (link.list === list.name) list.add(link, { atTop: !list.row(link.id) });
    showToast(t('Split into two links again.'));
    this.#pollSoon();
    if (this.#article.linkId) this.#article.open(this.#article.linkId);
  }

  /** @param {Link} link that the user has saved */
  onSaved(link) {
    if (this.#list.name === 'read') {
      this.#addToTop(link);
      this.#pollSoon();
    } else {
      location.hash = '#/read';
    }
  }

  // A link that was saved before may have tags, highlights and pictures.
  #addToTop(link) {
    // It may have been changed before the answer arrived, or fetched, which leaves `updated_at` alone.
    const { updated_at: time, state } = this.#store.get(link.id) ?? {};
    const wasFetched = time === link.updated_at && link.state === 'pending' && state !== 'pending';
    const isOld = wasFetched || time > link.updated_at;
    this.#list.add(isOld ? { id: link.id } : link, { atTop: true });
    if (!isNewLink(link)) this.#list.loadDetails([link.id]).catch(() => {});
    if (this.#list.rows.ariaBusy === 'true') this.#addOnceLoaded(link);
  }

  // The list was asked for before the link was saved, and its links take the place of all cards.
  #addOnceLoaded(link) {
    const { rows } = this.#list;
    const observer = new MutationObserver(async () => {
      if (rows.ariaBusy === 'true') return;
      observer.disconnect();
      const loaded = this.#list.row(link.id) && this.#store.get(link.id);
      if (loaded && loaded.updated_at >= link.updated_at) return;
      // It may have been archived, fetched or merged since it was saved.
      const current = await fetchLink(link.id).catch(() => null);
      if (current?.list === this.#list.name) this.#list.add(current, { atTop: true });
    });
    observer.observe(rows, { attributeFilter: ['aria-busy'] });
  }
}
