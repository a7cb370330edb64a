// The sleep timer: stops reading aloud after some minutes. This module does not use the DOM.

export class SleepTimer {
  #onEnd;
  #timer;

  /** @param {() => void} onEnd */
  constructor(onEnd) {
    this.#onEnd = onEnd;
  }

  /**
   * Starts the timer, in place of the one that runs.
   * @param {number} minutes 0 turns it off
   */
  set(minutes) {
    clearTimeout(this.#timer);
    if (minutes) this.#timer = setTimeout(this.#onEnd, minutes * 60_000);
  }
}
