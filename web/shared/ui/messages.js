// Messages about conditions of the network, the browser and the device, by code: those of all pages. Those of reading
// are in `reader/reading-messages.js`.

import { t } from '../locale/translate.js';
import { showToast } from './toast.js';

/** @typedef {{severity: 'info' | 'warning' | 'error' | 'critical', text: string}} Message */

/** @type {Record<string, Message>} */
export const MESSAGES = {
  // Network
  noResponse: { severity: 'error', text: t('The server is not responding. Try again in a moment.') },
  offline: { severity: 'warning', text: t('You are offline.') },
  partNotLoaded: {
    severity: 'error',
    text: t('This part of the page could not be loaded. Check your connection, and try again.'),
  },
  // Storage
  notStored: { severity: 'error', text: t('The browser could not store this.') },
  // General
  copyingNotAllowed: {
    severity: 'warning',
    text: t('The browser did not allow copying. Select the text and copy it yourself.'),
  },
};

/** @param {Message} message */
export function showMessage({ severity, text }) {
  showToast(text, undefined, severity);
}

/**
 * Returns the error with a message.
 * @param {Message} message
 * @returns {Error & {severity: Message['severity']}}
 */
export function failure({ severity, text }) {
  return Object.assign(Error(text), { severity });
}
