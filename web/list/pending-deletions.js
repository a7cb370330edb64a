// Deletions that can still be undone. A deleted link disappears at once, and the request is sent when the
// time to undo has passed, when the user signs out or when the page is left.

import { isOffline } from '../shared/api/connection.js';
import { deleteLinkOnLeave } from '../shared/links/links-api.js';
import { deleteLink } from '../shared/offline/offline-links.js';
import { showError, UNDO_MS } from '../shared/ui/toast.js';

export class PendingDeletions {
  #store;
  /** Link id → timer that sends the request, then whether the link was deleted, once that is known. */
  #pending = new Map();

  /** @param {import('../shared/links/link-store.js').LinkStore} store */
  constructor(store) {
    this.#store = store;
  }

  /** @param {string} id */
  has(id) {
    return this.#pending.has(id);
  }

  /**
   * Hides a link and deletes it once its deletion can no longer be undone.
   * @param {import('../shared/links/link-text.js').Link} link
   */
  schedule(link) {
    // Without a network, the deletion waits among the other changes, where it can be undone, too.
    this.#pending.set(link.id, setTimeout(() => this.#commit(link.id), isOffline() ? 0 : UNDO_MS));
    this.#store.notify(link);
  }

  /**
   * Shows a link again and does not delete it. A link that has been deleted is restored from the trash, and the open
   * list shows it as it shows what other devices do.
   * @param {import('../shared/links/link-text.js').Link} link
   */
  cancel(link) {
    const timerOrAnswer = this.#pending.get(link.id);
    if (typeof timerOrAnswer === 'number') {
      clearTimeout(timerOrAnswer);
      this.#pending.delete(link.id);
      this.#store.notify(link);
    } else {
      import('./restore-deleted.js').then(({ undoDeletion }) => undoDeletion(link.id, timerOrAnswer)).catch(showError);
    }
  }

  /** Deletes all links that wait for it, now. */
  async commitAll() {
    await Promise.all([...this.#pending.keys()].map((id) => this.#commit(id)));
  }

  /** Sends the requests without waiting for the responses, because the page is being left. */
  sendAllOnLeave() {
    for (const id of this.#pending.keys()) deleteLinkOnLeave(id);
  }

  #commit(id) {
    const timerOrAnswer = this.#pending.get(id);
    if (typeof timerOrAnswer !== 'number') return timerOrAnswer;
    clearTimeout(timerOrAnswer);
    this.#pending.set(id, this.#send(id));
    return this.#pending.get(id);
  }

  // A link that cannot be deleted is shown again.
  async #send(id) {
    let isDeleted = true;
    try {
      await deleteLink(id);
    } catch (error) {
      showError(error);
      isDeleted = false;
    }
    const link = this.#store.get(id);
    this.#pending.delete(id);
    if (isDeleted) this.#store.remove(id);
    else if (link) this.#store.notify(link);
    return isDeleted;
  }
}
