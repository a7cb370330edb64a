// Messages about conditions of the browser and the device, by code.

import { t } from '../locale/translate.js';
import { showToast } from './toast.js';

/** @typedef {{severity: 'info' | 'warning' | 'error' | 'critical', text: string}} Message */

/** @type {Record<string, Message>} */
export const MESSAGES = {
  ttsNotSupported: {
    severity: 'error',
    text: t('This browser cannot read aloud. Try another browser.'),
  },
  voiceNotAvailable: {
    severity: 'warning',
    text: t('This device has no voice for the language of the article. Add one in the settings of the system.'),
  },
  ttsNetwork: {
    severity: 'warning',
    text: t('This voice needs a network. Choose another one in the listening options.'),
  },
  ttsNotAllowed: {
    severity: 'warning',
    text: t('The browser does not let this page speak yet. Press Listen again.'),
  },
  lastArticle: {
    severity: 'info',
    text: t('This was the last article of the list.'),
  },
  sleepTimerEnded: {
    severity: 'info',
    text: t('The sleep timer has stopped reading aloud.'),
  },
  ttsError: {
    severity: 'error',
    text: t('Reading aloud has stopped because the voice failed. Press Listen to go on.'),
  },
};

/**
 * Shows a message.
 * @param {keyof MESSAGES} code
 */
export function showMessage(code) {
  const { severity, text } = MESSAGES[code];
  showToast(text, undefined, severity);
}
