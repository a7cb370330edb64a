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
    // Setting the same text again would make screen readers repeat it.
    if (this.#message.textContent !== message) this.#message.textContent = message;
    // Setting the same value again would have the browser compute styles again.
    if (this.isFailure !== isFailure) this.#retry.hidden = !isFailure;
  }
}
