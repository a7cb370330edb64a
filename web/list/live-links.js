// Keeps the links of the open list in step with the user's other devices. The order of the links shown changes when
// the list is loaded again.

import { ChangeSubscription } from '../shared/api/realtime.js';
import { fetchLinks, fetchLinksById } from '../shared/links/links-api.js';
import { onChangesSent } from '../shared/offline/changes.js';
import { DETAIL_TABLES, LiveDetails } from './live-details.js';

/** A pending link has news; several changes of it follow each other within this time. */
const POLL_DELAY_MS = 300;

/** The links that are looked up after changes were missed: the newest, and those on the page. */
const NEWEST = 50;
const SHOWN = 100;

export class LiveLinks {
  #store;
  #list;
  #poller;
  #details;
  #isStarted = false;
  /** Whether the list may have missed changes of tags since it was loaded. */
  #isBehind = false;
  /** How many times changes that waited on this device have been sent. */
  #sendings = 0;

  /**
   * @param {object} parts
   * @param {import('../shared/links/link-store.js').LinkStore} parts.store
   * @param {import('./link-list.js').LinkList} parts.list
   * @param {import('./pending-poller.js').PendingPoller} parts.poller
   * @param {() => void} parts.onFoldersChanged called when tags, collections or what they hold may have changed
   */
  constructor({ store, list, poller, onFoldersChanged }) {
    this.#store = store;
    this.#list = list;
    this.#poller = poller;
    this.#details = new LiveDetails({ store, list, onFoldersChanged });
    onChangesSent(() => { this.#sendings += 1; });
  }

  /** Starts to follow changes; the user is signed in. Further calls do nothing. */
  start() {
    if (this.#isStarted) return;
    this.#isStarted = true;
    new ChangeSubscription(['links', ...DETAIL_TABLES], {
      onChange: (change) => this.#onChange(change),
      onMissed: () => this.#onMissed(),
    }).start();
  }

  #onChange(change) {
    if (change.table !== 'links') this.#details.update(change);
    else if (change.record) this.#update(change.record);
    else this.#remove(change.old_record.id);
  }

  #onMissed() {
    this.catchUp();
    // The list was loaded a moment before the first connection.
    if (this.#isBehind) this.#details.catchUp();
    this.#isBehind = true;
  }

  #update(link) {
    const { id } = link;
    const known = this.#store.get(id);
    if (known?.state === 'pending' && link.state !== 'pending') {
      // The poller tells the user how fetching has ended.
      this.#poller.start(POLL_DELAY_MS);
      return;
    }
    // A response to a request of this page may be newer.
    if (known && link.updated_at < known.updated_at) return;
    const isShown = known?.list === this.#list.name && this.#list.row(id);
    if (!isShown && this.#list.covers(link)) {
      this.#list.add(link, { atTop: true });
      this.#list.loadDetails([id]);
    } else if (known) {
      this.#store.merge(link);
    }
    if (link.state === 'pending') this.#poller.start(POLL_DELAY_MS);
  }

  #remove(id) {
    // A pending link may have been merged into another one; the poller follows it.
    if (this.#poller.watches(id)) this.#poller.start(POLL_DELAY_MS);
    else this.#store.remove(id);
  }

  /** Brings the open list up to date. Does nothing if the server cannot be reached. */
  async catchUp() {
    const { name } = this.#list;
    const sendings = this.#sendings;
    const ids = this.#store.all().map(({ id }) => id).slice(0, SHOWN);
    const found = await Promise.all([
      ids.length ? fetchLinksById(ids) : [],
      name ? fetchLinks(name, NEWEST) : [],
    ]).catch(() => null);
    if (!found || name !== this.#list.name) return;
    if (sendings !== this.#sendings) {
      // This is how the links were before the user's changes were sent.
      await this.catchUp();
      return;
    }
    const [shown, newest] = found;
    const foundIds = new Set(shown.map(({ id }) => id));
    for (const id of ids) if (!foundIds.has(id)) this.#remove(id);
    // The newest link is added last, so that it is at the top.
    for (const link of [...shown, ...newest.reverse()]) this.#update(link);
  }
}
