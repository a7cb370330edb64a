// Messages about files, texts and speech, by code, and how much they matter. Those of all pages are in
// `shared/ui/messages.js`.

import { t } from '../shared/locale/translate.js';

/** @type {Record<string, import('../shared/ui/messages.js').Message>} */
export const READING_MESSAGES = {
  // Files
  bookMissing: {
    severity: 'warning',
    text: t('This link has no book yet. It gets one once its article and its pictures are there.'),
  },
  fileMissing: { severity: 'error', text: t('This file is no longer on the server.') },
  pageTooLarge: { severity: 'warning', text: t('The page is larger than 10 MB.') },
  // Texts
  articleNotKept: {
    severity: 'warning',
    text: t('You are offline, and this article is not kept on this device.'),
  },
  linkGone: { severity: 'error', text: t('This link no longer exists.') },
  highlightGone: { severity: 'error', text: t('This highlight no longer exists.') },
  bookmarkGone: { severity: 'error', text: t('This bookmark no longer exists.') },
  placeGone: { severity: 'warning', text: t('The article no longer has this place.') },
  noText: { severity: 'warning', text: t('There is no text here.') },
  notShared: { severity: 'warning', text: t('The browser could not share the link. Copy it instead.') },
  // Speech
  ttsNotSupported: { severity: 'error', text: t('This browser cannot read aloud. Try another browser.') },
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
  lastArticle: { severity: 'info', text: t('This was the last article of the list.') },
  sleepTimerEnded: { severity: 'info', text: t('The sleep timer has stopped reading aloud.') },
  ttsError: {
    severity: 'error',
    text: t('Reading aloud has stopped because the voice failed. Press Listen to go on.'),
  },
};
