// Saves a text while it is being typed: after a pause, and one request at a time. This module does not use the
// DOM.

export class Autosave {
  #save;
  #onState;
  #pause;
  #timer;
  #saved;
  #current;
  #running = null;
  /** Earlier saved texts, the latest last. */
  #earlier = [];

  /**
   * @param {object} options
   * @param {string} options.text as it is saved now
   * @param {(text: string) => Promise<any>} options.save
   * @param {(state: 'changed' | 'saving' | 'saved' | 'failed', error?: Error) => void} options.onState
   * @param {number} options.pause between the last change and the request, in milliseconds
   */
  constructor({ text, save, onState, pause }) {
    this.#saved = text;
    this.#current = text;
    this.#save = save;
    this.#onState = onState;
    this.#pause = pause;
  }

  /** The text as it was changed last. */
  get text() {
    return this.#current;
  }

  /** Whether there are changes that are not saved. */
  get isDirty() {
    return this.#current !== this.#saved;
  }

  /** Whether nothing is unsaved or being saved. */
  get isIdle() {
    return !this.isDirty && !this.#running;
  }

  /** Whether `undo` has a text to go back to. */
  get canUndo() {
    return this.#earlier.length > 0;
  }

  /**
   * Saves a changed text after the pause.
   * @param {string} text
   */
  change(text) {
    this.#current = text;
    clearTimeout(this.#timer);
    if (!this.isDirty) return;
    this.#onState('changed');
    this.#timer = setTimeout(() => this.flush(), this.#pause);
  }

  /**
   * Takes a text that was saved elsewhere for the one that is saved. There is nothing to undo after it.
   * @param {string} text
   */
  accept(text) {
    this.#saved = text;
    this.#current = text;
    this.#earlier = [];
  }

  /** Saves what is not saved yet, now. */
  async flush() {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    if (!this.isDirty) return;
    const before = this.#saved;
    const isSaved = await this.#run(this.#current);
    if (isSaved) this.#earlier.push(before);
    if (isSaved && !this.isDirty) this.#onState('saved');
  }

  /**
   * Goes back to the text before the last save and saves that.
   * @returns {Promise<string>} the text
   */
  async undo() {
    const text = this.#earlier.pop();
    this.#current = text;
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    if (await this.#run(text)) this.#onState('saved');
    return text;
  }

  #run(text) {
    this.#running = this.#send(text).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #send(text) {
    this.#onState('saving');
    try {
      await this.#save(text);
      this.#saved = text;
      return true;
    } catch (error) {
      this.#onState('failed', error);
      return false;
    }
  }
}
