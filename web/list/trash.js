// The trash at `#/trash`: deleted links, the time they have left, and restoring them.

import { restRequest } from '../shared/api/session.js';
import { deleteLink } from '../shared/links/links-api.js';
import { linkHost, linkTitle } from '../shared/links/link-text.js';
import { t, textParts } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createElement, createTime } from '../shared/ui/elements.js';
import { showError, showToast } from '../shared/ui/toast.js';
import { restoreLinks } from './bulk-changes.js';

const PAGE_SIZE = 50;

/** How long the trash waits for deletions that are still being sent, in milliseconds. */
const PATIENCE_MS = 1500;

const DAY_MS = 86_400_000;

/**
 * Returns how many days a deleted link has left, not below 0.
 * @param {string} deletedAt timestamp
 * @param {number} days that links stay in the trash
 * @param {number} [now] milliseconds since the epoch
 * @returns {number}
 */
export function daysLeft(deletedAt, days, now = Date.now()) {
  return Math.max(0, Math.ceil(days - (now - new Date(deletedAt)) / DAY_MS));
}

export class Trash {
  #section;
  #list;
  /** The last row that is shown. */
  #last = {};
  /** Another object for each time that the trash is opened, so that late responses are told apart. */
  #visit = {};
  /** The days that links stay here; null: without end, or not known. */
  #days;
  #daysLoaded;

  /**
   * @param {HTMLElement} section
   * @param {import('../shared/links/link-store.js').LinkStore} store
   */
  constructor(section, store) {
    this.#section = section;
    this.#list = section.querySelector('.trashed');
    this.#more.onclick = busyWhile(() => this.#loadPage());
    // The message that a link was deleted still offers to undo it.
    store.onChange(({ id }) => {
      const item = !section.hidden && this.#list.querySelector(`[data-link="${id}"]`);
      if (item) this.#remove(item);
    });
  }

  /**
   * Loads the trash from its beginning.
   * @param {Promise<void>} [deleting] ends when the links that the user has just deleted are in the trash
   */
  async open(deleting) {
    if (this.#section.hidden) return;
    this.#section.querySelector('h1').focus({ preventScroll: true });
    scrollTo(0, 0);
    // The search that led here does not find what is deleted.
    document.querySelector('#search input').value = '';
    this.#list.replaceChildren();
    this.#more.hidden = true;
    this.#last = {};
    const visit = this.#visit = {};
    this.#showStatus(t('Loading…'));
    const isLate = await Promise.race([deleting, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, true))]);
    if (visit !== this.#visit) return;
    try {
      await this.#loadPage();
    } catch (error) {
      if (visit === this.#visit) this.#showStatus(error.message);
      return;
    }
    if (isLate) await deleting.then(() => this.#addNewest(visit)).catch(() => {});
  }

  async #loadDays() {
    try {
      this.#days = await restRequest('rpc/trash_days');
    } catch {
      // Without a network; a server of an older release does not say.
      this.#days = null;
      this.#daysLoaded = null;
    }
    if (!this.#days) return;
    this.#section.querySelector('p').append(' ',
      t('After {n} day they are deleted for good.|After {n} days they are deleted for good.', { n: this.#days }));
  }

  async #loadPage() {
    const last = this.#last;
    const visit = this.#visit;
    const rows = await this.#fetch(last);
    if (visit !== this.#visit) return;
    this.#last = rows.at(-1) ?? last;
    const items = rows.map((row) => this.#createItem(row));
    this.#list.append(...items);
    const hadFocus = document.activeElement === this.#more;
    this.#more.hidden = rows.length < PAGE_SIZE;
    if (hadFocus && this.#more.hidden) items[0]?.querySelector('button').focus();
    this.#showEmpty();
  }

  // Adds what was deleted since the first page was loaded.
  async #addNewest(visit) {
    const rows = await this.#fetch({});
    if (visit !== this.#visit) return;
    const isNew = ({ link_id: id }) => !this.#list.querySelector(`[data-link="${id}"]`);
    this.#list.prepend(...rows.filter(isNew).map((row) => this.#createItem(row)));
    this.#showEmpty();
  }

  async #fetch(last) {
    const older = last.id && `(deleted_at.lt.${last.deleted_at},and(deleted_at.eq.${last.deleted_at},id.lt.${last.id}))`;
    this.#daysLoaded ??= this.#loadDays();
    const days = this.#daysLoaded;
    const rows = await restRequest('trash?select=id,link_id,raw_url,title,deleted_at,title_is_text:link->title_is_text,'
      + 'site_name:link->>site_name'
      + `&order=deleted_at.desc,id.desc&limit=${PAGE_SIZE}${older ? `&or=${encodeURIComponent(older)}` : ''}`);
    await days;
    return rows;
  }

  get #more() {
    return this.#section.querySelector('.more');
  }

  #createItem(row) {
    const title = linkTitle(row);
    const facts = createElement('p', { className: 'facts' }, linkHost(row), ' · ',
      ...textParts('Deleted {time}', { time: createTime(row.deleted_at) }));
    if (this.#days) facts.append(' · ', t('{n} day left|{n} days left', { n: daysLeft(row.deleted_at, this.#days) }));
    const button = createElement('button', { ariaLabel: t('Restore {title}', { title }) }, t('Restore'));
    const item = createElement('li', {}, createElement('div', {}, createElement('h2', { dir: 'auto' }, title), facts),
      button);
    item.dataset.link = row.link_id;
    button.onclick = busyWhile(async () => {
      await restoreLinks([row.link_id]);
      this.#remove(item);
      showToast(t('Restored: {title}', { title }), async () => {
        await deleteLink(row.link_id).catch(showError);
        if (!this.#section.hidden) await this.open();
      });
    });
    return item;
  }

  #remove(item) {
    const next = item.nextElementSibling ?? item.previousElementSibling;
    const hadFocus = item.contains(document.activeElement);
    item.remove();
    if (hadFocus) (next?.querySelector('button') ?? this.#section.querySelector('h1')).focus();
    this.#showEmpty();
  }

  #showEmpty() {
    const isEmpty = !this.#list.children.length;
    this.#showStatus(isEmpty && this.#more.hidden ? t('The trash is empty.') : '');
    if (isEmpty && !this.#more.hidden) this.#more.click();
  }

  #showStatus(text) {
    this.#section.querySelector('.list-status').textContent = text;
  }
}
