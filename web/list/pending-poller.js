// Polls for news of links that the server is still fetching.

import { fetchLinksById } from '../shared/links/links-api.js';

/** The delay grows by this factor after each poll, up to the maximum, so that slow pages cost little. */
const BACKOFF = 1.4;
const MAX_DELAY_MS = 20_000;

/** Ids in one request. */
const MAX_IDS = 100;

/** A link that became ready may be merged into another one a moment later, so it is polled for this long. */
const WATCH_FINISHED_MS = 30_000;

export class PendingPoller {
  #store;
  #onFinished;
  #onVanished;
  /** Id of a link that is no longer pending → the time of `performance.now()` until which it is polled. */
  #watchedUntil = new Map();
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
    return this.#store.get(id)?.state === 'pending' || this.#watchedUntil.has(id);
  }

  /**
   * Stops polling for a link that is no longer pending.
   * @param {string} id
   */
  forget(id) {
    this.#watchedUntil.delete(id);
  }

  #idsToPoll() {
    const isFinished = (link) => link.state !== 'pending';
    return this.#store.all()
      .filter(({ id }) => this.watches(id))
      .sort((one, other) => isFinished(one) - isFinished(other))
      .slice(0, MAX_IDS)
      .map(({ id }) => id);
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
    const now = performance.now();
    const end = this.#watchedUntil.get(link.id);
    if (end && known?.state !== 'pending') {
      // The previous answer may be from before a client's change. Changes of the server leave `updated_at` alone.
      if (link.updated_at > known?.updated_at) this.#store.merge(link);
      if (now > end) this.forget(link.id);
      return;
    }
    this.#watchedUntil.set(link.id, now + WATCH_FINISHED_MS);
    if (known && !(link.updated_at < known.updated_at)) this.#store.merge(link);
    this.#onFinished(link);
  }
}
