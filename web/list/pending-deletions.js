// Deletions that can still be undone. A deleted link disappears at once, and the request is sent when the
// time to undo has passed, when the user signs out or when the page is left.

import { isOffline } from '../shared/api/connection.js';
import { deleteLinkOnLeave } from '../shared/links/links-api.js';
import { deleteLink } from '../shared/offline/offline-links.js';
import { showError, UNDO_MS } from '../shared/ui/toast.js';

export class PendingDeletions {
  #store;
  /** Link id → timer that sends the request. */
  #timers = new Map();

  /** @param {import('../shared/links/link-store.js').LinkStore} store */
  constructor(store) {
    this.#store = store;
  }

  /** @param {string} id */
  has(id) {
    return this.#timers.has(id);
  }

  /**
   * Hides a link and deletes it once its deletion can no longer be undone.
   * @param {import('../shared/links/link-text.js').Link} link
   */
  schedule(link) {
    // Without a network, the deletion waits among the other changes, where it can be undone, too.
    this.#timers.set(link.id, setTimeout(() => this.#commit(link.id), isOffline() ? 0 : UNDO_MS));
    this.#store.notify(link);
  }

  /**
   * Shows a link again and does not delete it. A link that has been deleted is restored from the trash, and the open
   * list shows it as it shows what other devices do.
   * @param {import('../shared/links/link-text.js').Link} link
   */
  cancel(link) {
    if (!this.#timers.has(link.id)) {
      this.#restore(link.id).catch(showError);
      return;
    }
    clearTimeout(this.#timers.get(link.id));
    this.#timers.delete(link.id);
    this.#store.notify(link);
  }

  /** Deletes all links that wait for it, now. */
  async commitAll() {
    await Promise.all([...this.#timers.keys()].map((id) => this.#commit(id)));
  }

  /** Sends the requests without waiting for the responses, because the page is being left. */
  sendAllOnLeave() {
    for (const id of this.#timers.keys()) deleteLinkOnLeave(id);
  }

  async #restore(id) {
    const [{ cancelChange }, { restoreLinks }] = await Promise.all([
      import('../shared/offline/waiting-changes.js'), import('./bulk-changes.js'),
    ]);
    if (!await cancelChange(id, ({ kind }) => kind === 'delete')) await restoreLinks([id]);
  }

  // A link that cannot be deleted is shown again.
  async #commit(id) {
    clearTimeout(this.#timers.get(id));
    try {
      await deleteLink(id);
      this.#timers.delete(id);
      this.#store.remove(id);
    } catch (error) {
      showError(error);
      this.#timers.delete(id);
      const link = this.#store.get(id);
      if (link) this.#store.notify(link);
    }
  }
}
