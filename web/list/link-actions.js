// What the buttons of a link do. Changes show at once and are taken back if the server refuses them.

import { t } from '../shared/locale/translate.js';
import { updateLink } from '../shared/offline/offline-links.js';
import { showError, showToast } from '../shared/ui/toast.js';

/** @typedef {import('../shared/links/link-text.js').Link} Link */

/** What is said after a column got its value. */
const DONE = {
  read: t('Marked as read.'), unread: t('Marked as unread.'), true: t('Starred.'), false: t('Star removed.'),
};

export class LinkActions {
  #store;
  #list;
  #deletions;
  #listTitle;
  #onRetry;

  /**
   * @param {object} parts
   * @param {import('../shared/links/link-store.js').LinkStore} parts.store
   * @param {import('./link-list.js').LinkList} parts.list
   * @param {import('./pending-deletions.js').PendingDeletions} parts.deletions
   * @param {(name: string) => string} parts.listTitle the title of a list
   * @param {() => void} parts.onRetry called when a link is pending again
   */
  constructor({ store, list, deletions, listTitle, onRetry }) {
    this.#store = store;
    this.#list = list;
    this.#deletions = deletions;
    this.#listTitle = listTitle;
    this.#onRetry = onRetry;
  }

  /**
   * Runs an action; an unknown name does nothing.
   * @param {string} name a `data-do` value: `read`, `star`, `archive`, `retry`, `renew` or `delete`
   * @param {Link} link
   */
  run(name, link) {
    switch (name) {
      case 'read':
        this.#toggle(link, 'status', link.status === 'read' ? 'unread' : 'read');
        break;
      case 'star':
        this.#toggle(link, 'is_starred', !link.is_starred);
        break;
      case 'archive':
        this.#move(link);
        break;
      case 'retry':
        this.#retry(link);
        break;
      case 'renew':
        this.#renew(link);
        break;
      case 'delete':
        this.#delete(link);
        break;
    }
  }

  #toggle(link, column, value) {
    const before = link[column];
    this.#change(link, { [column]: value });
    showToast(DONE[value], () => this.#change(link, { [column]: before }));
  }

  #move(link) {
    const from = link.list;
    const to = from === 'read' ? 'archive' : 'read';
    this.#change(link, { list: to });
    showToast(t('Moved to {list}.', { list: this.#listTitle(to) }), () => this.#change(link, { list: from }));
  }

  async #retry(link) {
    await this.#change(link, { state: 'pending' });
    this.#onRetry();
  }

  // Fetches a page again whose article the user may want back.
  async #renew(link) {
    const { renewArticle } = await import('../shared/links/article-versions.js');
    try {
      this.#store.merge(await renewArticle(link.id));
      showToast(t('The page is being fetched again.'));
      this.#onRetry();
    } catch (error) {
      // Without a network, the link is fetched again later.
      if (error.status) showError(error);
      else this.#retry(link);
    }
  }

  #delete(link) {
    this.#deletions.schedule(link);
    showToast(t('Deleted.'), () => this.#deletions.cancel(link));
  }

  async #change(link, changes) {
    let stored;
    try {
      stored = await this.#store.changeUntil(link, changes, updateLink(link.id, changes));
    } catch (error) {
      showError(error);
    }
    // A link that was moved and moved back may have left the list.
    const isMissing = stored?.list === this.#list.name && !this.#list.row(stored.id);
    if (stored && isMissing) this.#list.add(stored, { atTop: true });
  }
}
