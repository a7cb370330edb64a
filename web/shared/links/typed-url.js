// Addresses as users type them. This module does not use the DOM.

import { t } from '../locale/translate.js';

/**
 * Returns the http or https URL that a text means; a text without a scheme gets `https://`.
 * @param {string} text
 * @returns {string}
 * @throws {Error} with a message for the user
 */
export function parseURL(text) {
  // A colon before digits separates host and port: `localhost:8080` has no scheme.
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text);
  const url = hasScheme ? text : `https://${text}`;
  if (!/^https?:\/\/[^\s/?#]+([/?#]|$)/i.test(url) || !URL.canParse(url)) {
    throw Error(t('This is not a web address. Web addresses start with https://'));
  }
  return url;
}
