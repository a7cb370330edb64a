// The words of the pages in the language that first-paint.js has chosen. English is the text that stands in the
// modules and pages; any other language takes its words from a catalogue in web/locales, by the English text. Modules
// that import this one run when the catalogue is there and the page is translated.

const root = globalThis.document?.documentElement;
const language = root?.lang.split('-')[0] ?? 'en';
const isRightToLeft = root?.dir === 'rtl';

/** The formats of numbers and dates, such as those of "en-GB", with the digits that stand in the catalogues. */
export const locale = new Intl.Locale(root?.lang ?? 'en', { numberingSystem: 'latn' }).toString();

/** Makes the direction of a line that of the page, where its first word, such as a name, would make it another one. */
export const LINE_START = isRightToLeft ? '\u200f' : '';

const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);

/** @type {Record<string, string | Record<Intl.LDMLPluralRule, string>>} */
let catalogue = {};

/** Code → why a page has no article. */
let reasons = {};

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

/**
 * Returns one line of facts, separated by middle dots.
 * @param {(string | false | null | undefined | 0)[]} facts empty ones are left out
 * @returns {string}
 */
export function joinFacts(facts) {
  return facts.filter(Boolean).map(shown).join(' · ');
}

/**
 * Returns why an article or a picture is missing.
 * @param {string | null} code of the server
 * @param {string | null} message of the server, which says more, in English
 * @returns {string | null}
 */
export function reasonText(code, message) {
  return reasons[code] ? `${reasons[code]}.` : message;
}

function english(text) {
  const [one, other] = text.replace(/#\w+$/, '').split('|');
  return other ? { one, other } : one;
}

// A value in another direction must not take the words around it along.
function shown(value) {
  if (typeof value === 'number') return numbers.format(value);
  return isRightToLeft && typeof value === 'string' ? `${LINE_START}\u2068${value}\u2069` : value;
}

async function load() {
  try {
    const [words, { reasonNames }, { translatePage }] = await Promise.all([
      fetch(new URL(`../../locales/${language}.json`, import.meta.url)).then((response) => response.json()),
      import('./reasons.js'),
      import('./page.js'),
    ]);
    catalogue = words;
    reasons = reasonNames(t);
    translatePage(document, textParts);
  } catch {
    // The page works in English.
    Object.assign(root, { lang: 'en', dir: 'ltr' });
  }
}
