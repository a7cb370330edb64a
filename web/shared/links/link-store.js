// The links that a page has loaded. List and reader show the same links; both render a link again when it
// changes.

/** @typedef {import('./link-text.js').Link} Link */

export class LinkStore {
  /** @type {Map<string, Link>} */
  #links = new Map();
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
   * Adds a link, or updates the stored link with the fields given, and notifies the subscribers.
   * @param {Link} fields with the `id`
   * @returns {Link} the stored link, which stays the same object
   */
  merge(fields) {
    const link = Object.assign(this.#links.get(fields.id) ?? {}, fields);
    this.#links.set(link.id, link);
    this.notify(link);
    return link;
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
