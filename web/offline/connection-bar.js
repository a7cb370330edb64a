// The line below the header that tells of the connection: that the server cannot be reached, how many changes
// wait to be sent, and that a new version of the app is ready.

import { t } from '../shared/locale/translate.js';

export class ConnectionBar {
  #bar;

  /**
   * @param {HTMLElement} bar
   * @param {() => void} onShowChanges shows the waiting changes
   */
  constructor(bar, onShowChanges) {
    this.#bar = bar;
    this.#part('.waiting').onclick = onShowChanges;
  }

  /** @param {boolean} isOffline */
  showOffline(isOffline) {
    // The name of a live region must not change while it is read out, so it stands beside the text.
    const status = this.#part('.offline');
    status.textContent = isOffline ? t('Offline') : '';
    status.ariaLabel = isOffline ? t('Offline') : null;
    this.#hideIfEmpty();
  }

  /**
   * @param {number} waiting
   * @param {number} failed how many of them the server has refused
   */
  showChanges(waiting, failed) {
    const button = this.#part('.waiting');
    const texts = [
      waiting && t('{n} change waiting|{n} changes waiting', { n: waiting }),
      failed && t('{n} refused|{n} refused', { n: failed }),
    ];
    button.textContent = texts.filter(Boolean).join(', ');
    button.hidden = !waiting;
    this.#hideIfEmpty();
  }

  /** @param {() => void} reload loads the new version */
  showUpdate(reload) {
    this.#part('.update').hidden = false;
    this.#part('.update span').textContent = t('Update ready:');
    this.#part('.update button').onclick = reload;
    this.#hideIfEmpty();
  }

  #hideIfEmpty() {
    const isOnline = !this.#part('.offline').textContent;
    const isEmpty = isOnline && this.#part('.waiting').hidden && this.#part('.update').hidden;
    this.#bar.classList.toggle('empty', isEmpty);
    // With `:has()`, the browser would look through the whole list at each change of a row.
    document.body.toggleAttribute('data-connection-bar', !isEmpty);
  }

  #part(selector) {
    return this.#bar.querySelector(selector);
  }
}
