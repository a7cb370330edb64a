// What a row of the list and the reader have in common: status line, action buttons and the link to the
// queue.

import { linkStatus } from './link-text.js';

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

  root.querySelector('[data-do=read]').ariaPressed = link.status === 'read';
  root.querySelector('[data-do=star]').ariaPressed = link.is_starred;
  root.querySelector('[data-do=archive]').ariaPressed = link.list === 'archive';

  const status = root.querySelector('.state');
  status.textContent = linkStatus(link);
  status.hidden = !showStatus;
  root.querySelector('[data-do=retry]').hidden = isPending || !showStatus || !showRetry;

  // A pending link with a reason has failed before and waits for its next attempt.
  root.querySelector('.to-queue').hidden = !isPending || !link.reason_message;
}
