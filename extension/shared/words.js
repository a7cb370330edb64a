// The words of the extension in the language of the browser, chosen as in the reading list. English is the text that
// stands in the modules and pages; any other language takes its words from a catalogue in `shared/words/`, by the
// English text. This module does not use the DOM. It imports all catalogues, because a service worker can load nothing
// later.

import ar from './words/ar.js';
import de from './words/de.js';

const CATALOGUES = { en: {}, de, ar };
const RIGHT_TO_LEFT = ['ar'];

const languageOf = (one) => one.split('-')[0].toLowerCase();

/** The language with its region, such as "de-AT". */
export const tag = globalThis.navigator?.languages?.find((one) => Object.hasOwn(CATALOGUES, languageOf(one))) ?? 'en';

/** The language of the words, such as "de". */
export const language = languageOf(tag);

/** The direction in which it is written. */
export const direction = RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr';

/** The formats of numbers and dates, such as those of "en-GB", with the digits that stand in the catalogues. */
export const locale = new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();

const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);

/**
 * Returns a text in the language of the browser.
 * @param {string} text English, with names in braces for values. `{n} tab|{n} tabs` has a singular and a plural, for
 *   the value `n`. What follows a `#` tells apart texts that other languages do not translate alike.
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(text, values = {}) {
  const entry = CATALOGUES[language][text] ?? english(text);
  const pattern = typeof entry === 'string' ? entry : entry[plurals.select(values.n)] ?? entry.other;
  return pattern.replace(/\{(\w+)\}/g, (_, name) => shown(values[name]));
}

function english(text) {
  const [one, other] = text.replace(/#\w+$/, '').split('|');
  return other ? { one, other } : one;
}

// A value in another direction must not take the words around it along.
function shown(value) {
  if (typeof value === 'number') return numbers.format(value);
  return direction === 'rtl' ? `\u2068${value}\u2069` : value;
}
