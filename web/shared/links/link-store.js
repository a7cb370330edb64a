// The links that a page has loaded. List and reader show the same links; both render a link again when it
// changes.

/** @typedef {import('./link-text.js').Link} Link */

export class LinkStore {
  /** @type {Map<string, Link>} */
  #links = new Map();
  /**
   * By link, the changes that the server has not answered yet, in their order, the link without them, and the newest
   * change of the link that was answered since the first of them.
   * @type {Map<string, {link: Link, changes: object[], newestAnswered: number}>}
   */
  #unanswered = new Map();
  #changeCount = 0;
  #onChange = [];
  #onRemove = [];

  /** @param {string} id */
  get(id) {
    return this.#links.get(id);
  }

  /** @param {string} id */
  has(id) {
    return this.#links.has(id);
  }

  /** @returns {Link[]} in the order in which they were added */
  all() {
    return [...this.#links.values()];
  }

  /**
   * Adds a link, or updates the stored link with the fields given, and notifies the subscribers. Changes that the
   * server has not answered yet stay: what comes from the server may be older.
   * @param {Link} fields with the `id`
   * @returns {Link} the stored link, which stays the same object
   */
  merge(fields) {
    const unanswered = this.#unanswered.get(fields.id);
    const newest = unanswered ? [Object.assign(unanswered.link, fields), ...unanswered.changes] : [fields];
    const link = Object.assign(this.#links.get(fields.id) ?? {}, ...newest);
    this.#links.set(link.id, link);
    this.notify(link);
    return link;
  }

  /**
   * Shows a change at once, and until the server has answered it.
   * @param {Link} link
   * @param {object} changes
   * @param {Promise<Link | undefined>} answer the link as the server has it now
   * @returns {Promise<Link | undefined>} the answer
   * @throws what `answer` throws; the change is taken back
   */
  async changeUntil({ id, ...link }, changes, answer) {
    const unanswered = this.#unanswered.get(id)
      ?? { link: { id, ...link, ...this.#links.get(id) }, changes: [], newestAnswered: 0 };
    const shown = { ...changes };
    unanswered.changes.push(shown);
    this.#unanswered.set(id, unanswered);
    const number = ++this.#changeCount;
    this.merge({ id });
    const stored = await answer.catch((error) => error);
    const place = unanswered.changes.indexOf(shown);
    // Two requests may be answered in the other order.
    const isNews = stored?.id && number > unanswered.newestAnswered;
    if (isNews) {
      unanswered.newestAnswered = number;
      for (const earlier of unanswered.changes.slice(0, place)) for (const column in changes) delete earlier[column];
    }
    unanswered.changes.splice(place, 1);
    this.merge(isNews ? stored : { id });
    if (!unanswered.changes.length) this.#unanswered.delete(id);
    if (stored instanceof Error) throw stored;
    return stored;
  }

  /**
   * Notifies the subscribers that a link must be rendered again.
   * @param {Link} link
   */
  notify(link) {
    for (const callback of this.#onChange) callback(link);
  }

  /**
   * Removes a link and notifies the subscribers.
   * @param {string} id
   */
  remove(id) {
    this.#links.delete(id);
    for (const callback of this.#onRemove) callback(id);
  }

  /** Forgets all links without notifying anybody. */
  clear() {
    this.#links.clear();
  }

  /** @param {(link: Link) => void} callback called after a link was added or has changed */
  onChange(callback) {
    this.#onChange.push(callback);
  }

  /** @param {(id: string) => void} callback called after a link was removed */
  onRemove(callback) {
    this.#onRemove.push(callback);
  }
}
