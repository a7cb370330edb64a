// Polls for news of links that the server is still fetching.

import { fetchLinksById } from '../shared/links/links-api.js';

/** The delay grows by this factor after each poll, up to the maximum, so that slow pages cost little. */
const BACKOFF = 1.4;
const MAX_DELAY_MS = 20_000;

/** Ids in one request. */
const MAX_IDS = 100;

/**
 * A link that became ready may still be merged into another one a moment later, so it is polled this often
 * again.
 */
const POLLS_AFTER_FINISHING = 8;

export class PendingPoller {
  #store;
  #onFinished;
  #onVanished;
  /** Id of a link that is no longer pending → how often it is polled again. */
  #remainingPolls = new Map();
  #timer;
  #delay;

  /**
   * @param {import('../shared/links/link-store.js').LinkStore} store
   * @param {object} callbacks
   * @param {(link: import('../shared/links/link-text.js').Link) => void} callbacks.onFinished called with a
   *   link that is no longer pending
   * @param {(id: string) => Promise<void>} callbacks.onVanished called with the id of a link that no longer
   *   exists
   */
  constructor(store, { onFinished, onVanished }) {
    this.#store = store;
    this.#onFinished = onFinished;
    this.#onVanished = onVanished;
    store.onRemove((id) => this.forget(id));
  }

  /**
   * Polls until no link is pending. Replaces the poll that was scheduled.
   * @param {number} delay milliseconds until the first poll
   */
  start(delay) {
    clearTimeout(this.#timer);
    this.#delay = delay;
    const ids = this.#idsToPoll();
    if (ids.length) this.#timer = setTimeout(() => this.#poll(ids), delay);
  }

  /**
   * Returns whether the poller reports what becomes of a link: it is pending or became ready a moment ago.
   * @param {string} id
   */
  watches(id) {
    return this.#store.get(id)?.state === 'pending' || this.#remainingPolls.has(id);
  }

  /**
   * Stops polling for a link that is no longer pending.
   * @param {string} id
   */
  forget(id) {
    this.#remainingPolls.delete(id);
  }

  #idsToPoll() {
    return this.#store.all()
      .map(({ id }) => id)
      .filter((id) => this.watches(id))
      .slice(0, MAX_IDS);
  }

  async #poll(ids) {
    const links = await fetchLinksById(ids).catch(() => null);
    if (links) {
      for (const link of links) this.#update(link);
      const found = new Set(links.map(({ id }) => id));
      for (const id of ids) if (!found.has(id)) await this.#onVanished(id).catch(() => {});
    }
    this.start(Math.min(this.#delay * BACKOFF, MAX_DELAY_MS));
  }

  #update(link) {
    if (link.state === 'pending') return;
    const known = this.#store.get(link.id);
    if (this.#remainingPolls.has(link.id) && known?.state !== 'pending') {
      this.#countDown(link.id);
      return;
    }
    this.#remainingPolls.set(link.id, POLLS_AFTER_FINISHING);
    if (known) this.#store.merge(link);
    this.#onFinished(link);
  }

  #countDown(id) {
    const remaining = this.#remainingPolls.get(id) - 1;
    if (remaining) this.#remainingPolls.set(id, remaining);
    else this.#remainingPolls.delete(id);
  }
}
