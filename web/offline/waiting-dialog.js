// The dialog with the changes that wait to be sent: what they do, why the server has refused them, and buttons to
// send them again or to give them up.

import { t } from '../shared/locale/translate.js';
import { sendWaitingChanges } from '../shared/offline/changes.js';
import { linkTitle } from '../shared/links/link-text.js';
import { dropChange, setFailure, waitingChanges } from '../shared/offline/waiting-changes.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createElement } from '../shared/ui/elements.js';
import { describeChange } from './change-text.js';

export class WaitingDialog {
  #dialog;

  /** @param {HTMLDialogElement} dialog */
  constructor(dialog) {
    this.#dialog = dialog;
    dialog.querySelector('.close').onclick = () => dialog.close();
  }

  /** Opens the dialog. */
  async open() {
    await this.refresh();
    this.#dialog.showModal();
  }

  /** Shows the changes that wait now. Without any, the dialog closes. */
  async refresh() {
    const changes = await waitingChanges();
    this.#dialog.querySelector('ul').replaceChildren(...changes.map((change) => this.#createItem(change)));
    if (!changes.length) this.#dialog.close();
    // The button that had the focus is gone.
    else if (!this.#dialog.contains(document.activeElement)) this.#dialog.querySelector('h2').focus();
  }

  #createItem(change) {
    const { before, url, file, failure } = change;
    const title = before ? linkTitle(before) : url ?? file?.name ?? t('A link');
    const what = describeChange(change);
    const drop = createElement('button', { ariaLabel: t('Discard: {what}, {title}', { what, title }) }, t('Discard'));
    drop.onclick = busyWhile(() => dropChange(change));
    const retry = failure
      && createElement('button', { ariaLabel: t('Try again: {what}, {title}', { what, title }) }, t('Try again'));
    if (retry) {
      retry.onclick = busyWhile(async () => {
        await setFailure(change.id, null);
        await sendWaitingChanges();
      });
    }
    return createElement('li', {},
      createElement('div', {},
        createElement('b', {}, what),
        createElement('span', { dir: 'auto' }, title),
        failure && createElement('span', { className: 'failure' }, t('Refused: {failure}', { failure }))),
      createElement('div', { className: 'buttons' }, retry, drop));
  }
}
