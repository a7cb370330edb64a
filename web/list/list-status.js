// The message below the list: that it is empty, or why it could not be loaded.

export class ListStatus {
  #message;
  #retry;

  /**
   * @param {HTMLElement} section
   * @param {() => void} onRetry loads the list again
   */
  constructor(section, onRetry) {
    this.#message = section.querySelector('#note');
    this.#retry = section.querySelector('#retry');
    this.#retry.onclick = onRetry;
  }

  /** Whether the list could not be loaded. */
  get isFailure() {
    return !this.#retry.hidden;
  }

  /**
   * @param {string} message
   * @param {{isFailure?: boolean}} [options]
   */
  show(message, { isFailure = false } = {}) {
    // A screen reader repeats a text that is set again, and the browser computes styles again.
    if (this.#message.textContent !== message) this.#message.textContent = message;
    if (this.isFailure !== isFailure) this.#retry.hidden = !isFailure;
  }
}
