// Puts a page of the extension into the language of the browser.

import { direction, language, t, tag } from './words.js';

/**
 * Translates the texts that stand in the HTML of the page, except in elements with `translate="no"`. Those hold what
 * modules write.
 */
export async function translateThisPage() {
  if (language === 'en') {
    document.documentElement.lang = tag;
    return;
  }
  // In a folder whose link to the web app is not followed, the HTML stays in English.
  const found = await import('../web/shared/locale/page.js').catch(() => null);
  if (!found) return;
  Object.assign(document.documentElement, { lang: tag, dir: direction });
  found.translatePage(document, (text) => [t(text)]);
}
