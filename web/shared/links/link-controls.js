// What a row of the list and the reader have in common: status line, action buttons and the link to the
// queue.

import { t } from '../locale/translate.js';
import { linkStatus } from './link-text.js';

/** The name of each button says what pressing it does, so it changes with the link. The keys are in tooltips. */
const TOGGLES = [
  {
    action: 'read', key: 'm', off: t('Mark as read'), on: t('Mark as unread'),
    isOn: ({ status }) => status === 'read',
  },
  { action: 'star', key: 's', off: t('Star for newsletter'), on: t('Remove star'), isOn: (link) => link.is_starred },
  {
    action: 'archive', key: 'a', off: t('Archive#verb'), on: t('Move to To Read'),
    isOn: ({ list }) => list === 'archive',
  },
];

/**
 * Renders the controls of a link.
 * @param {Element} root a row of the list, or the reader
 * @param {import('./link-text.js').Link} link
 * @param {{showStatus: boolean, showRetry: boolean}} options whether the status line, and the retry button in
 *   it, apply; a pending link never shows the retry button
 */
export function renderLinkControls(root, link, { showStatus, showRetry }) {
  const isPending = link.state === 'pending';
  root.dataset.state = link.state;
  root.dataset.status = link.status;

  for (const { action, key, isOn, on, off } of TOGGLES) {
    const button = root.querySelector(`[data-do=${action}]`);
    const label = isOn(link) ? on : off;
    button.dataset.on = Boolean(isOn(link));
    if (button.ariaLabel !== label) Object.assign(button, { ariaLabel: label, title: `${label} (${key})` });
  }

  const status = root.querySelector('.state');
  status.textContent = linkStatus(link);
  status.hidden = !showStatus;
  root.querySelector('[data-do=retry]').hidden = isPending || !showStatus || !showRetry;

  // A pending link with a reason has failed before and waits for its next attempt.
  root.querySelector('.to-queue').hidden = !isPending || !link.reason_message;
}
