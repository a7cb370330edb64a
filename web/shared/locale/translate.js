// The words of the pages in the language that first-paint.js has chosen. English is the text that stands in the
// modules and pages; any other language takes its words from a catalogue in web/locales, by the English text. Modules
// that import this one run when the catalogue is there and the page is translated.

const root = globalThis.document?.documentElement;
const language = root?.lang.split('-')[0] ?? 'en';
const isRightToLeft = root?.dir === 'rtl';

/** The formats of numbers and dates, such as those of "en-GB", with the digits that stand in the catalogues. */
export const locale = new Intl.Locale(root?.lang ?? 'en', { numberingSystem: 'latn' }).toString();

const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);

/** @type {Record<string, string | Record<Intl.LDMLPluralRule, string>>} */
let catalogue = {};

if (language !== 'en') await load();

/**
 * Returns a text in the language of the page.
 * @param {string} text English, with names in braces for values. `{n} link|{n} links` has a singular and a plural, for
 *   the value `n`. What follows a `#` tells apart texts that other languages do not translate alike: `Archive#verb`.
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(text, values) {
  return textParts(text, values).join('');
}

/**
 * Returns a text in the language of the page, in parts, for values that are elements.
 * @param {string} text as for `t`
 * @param {Record<string, string | number | Node>} [values]
 * @returns {(string | Node)[]}
 */
export function textParts(text, values = {}) {
  const entry = catalogue[text] ?? english(text);
  const pattern = typeof entry === 'string' ? entry : entry[plurals.select(values.n)] ?? entry.other;
  return pattern.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? shown(values[part]) : part)).filter(Boolean);
}

function english(text) {
  const [one, other] = text.replace(/#\w+$/, '').split('|');
  return other ? { one, other } : one;
}

// A value in another direction must not take the words around it along.
function shown(value) {
  if (typeof value === 'number') return numbers.format(value);
  return isRightToLeft && typeof value === 'string' ? `\u2068${value}\u2069` : value;
}

async function load() {
  try {
    const [response, { translatePage }] = await Promise.all([fetch(`/locales/${language}.json`), import('./page.js')]);
    catalogue = await response.json();
    translatePage(document, textParts);
  } catch {
    // The page works in English.
    Object.assign(root, { lang: 'en', dir: 'ltr' });
  }
}
