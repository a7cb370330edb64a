// What the home page does beside showing links: following other devices, working without a network, and applying the
// text settings. Its modules are loaded when the first view is there.

import { currentSession } from '../shared/api/session.js';
import { removeDataOfOthers } from '../shared/offline/local-data.js';
import { idle, once } from './lazy-parts.js';

/** Loads the text settings and their panel; returns a function to be called when somebody is signed in. */
export const textSettings = once(async () => {
  const { setUpTextSettings } = await import('../reader/settings/settings-panel.js');
  return setUpTextSettings(document.querySelector('#text-settings form'));
});

/** Work in the background starts after this time at the latest. */
const FIRST_VIEW_MS = 3000;

export class BackgroundWork {
  #offline;
  #liveLinks;
  #isForUser = false;
  #onShown;
  /**
   * Resolves when the list or the article that the page was opened for is there and the browser has nothing more urgent
   * to do, at the latest after a while.
   * @type {Promise<void>}
   */
  firstView = new Promise((resolve) => {
    this.#onShown = resolve;
    setTimeout(resolve, FIRST_VIEW_MS);
  }).then(idle);

  /**
   * @param {object} page
   * @param {import('../shared/links/link-store.js').LinkStore} page.store
   * @param {import('./link-list.js').LinkList} page.list
   * @param {import('../reader/lazy-reader.js').LazyReader} page.article
   * @param {import('./pending-poller.js').PendingPoller} page.poller
   * @param {() => void} page.onFoldersChanged see `LiveLinks`
   */
  constructor({ store, list, article, poller, onFoldersChanged }) {
    this.#offline = once(async () => {
      await this.firstView;
      const { setUpOffline } = await import('../offline/set-up.js');
      return setUpOffline({ list, article });
    });
    this.#liveLinks = once(async () => {
      await this.firstView;
      const { LiveLinks } = await import('./live-links.js');
      const links = new LiveLinks({ store, list, poller, onFoldersChanged });
      links.start();
      return links;
    });
  }

  /** Starts what works whether or not somebody is signed in. */
  start() {
    this.#offline().catch(() => {});
  }

  /** Starts what needs a session. Further calls do nothing. */
  startForUser() {
    if (this.#isForUser) return;
    this.#isForUser = true;
    removeDataOfOthers(currentSession().user).catch(() => {});
    this.#liveLinks().catch(() => {});
    this.firstView.then(textSettings).then((start) => start()).catch(() => {});
  }

  /** To be called when something other than a list was opened. */
  onShown() {
    this.#onShown();
  }

  /** To be called when a list was loaded: articles are fetched ahead. */
  onListLoaded() {
    this.#onShown();
    this.#offline().then((fetchCopiesSoon) => fetchCopiesSoon()).catch(() => {});
  }

  /** Brings a list up to date that is shown as it was left. */
  catchUp() {
    this.#liveLinks().then((links) => links.catchUp()).catch(() => {});
  }
}
