// Which articles have vertical lines. This module does not use the DOM.

/** So many characters tell the script of a text. */
const SAMPLE = 4000;

/** Languages that are written in vertical lines as well as in horizontal ones. */
const EAST_ASIAN = ['ja', 'zh', 'yue', 'lzh', 'wuu', 'nan', 'hak', 'cmn', 'gan', 'hsn'];

const MONGOLIAN_LETTER = /[\u1800-\u18af]/u;
const EAST_ASIAN_LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u;

/** @typedef {'mongolian' | 'east-asian' | null} VerticalScript null for all scripts without vertical lines */

/**
 * Returns which script with vertical lines an article is written in.
 * @param {string} lang a language tag, which may be wrong or empty
 * @param {string} text
 * @returns {VerticalScript}
 */
export function verticalScript(lang, text) {
  const letters = text.slice(0, SAMPLE).match(/\p{L}/gu) ?? [];
  const isMostly = (pattern) => letters.filter((letter) => pattern.test(letter)).length * 2 > letters.length;
  const [language, ...others] = lang.toLowerCase().split(/[-_]/);
  if (language === 'mn' && others.includes('mong') || isMostly(MONGOLIAN_LETTER)) return 'mongolian';
  return EAST_ASIAN.includes(language) || isMostly(EAST_ASIAN_LETTER) ? 'east-asian' : null;
}

/**
 * Returns the CSS writing mode of an article.
 * @param {VerticalScript} script
 * @param {boolean} isVerticalWanted whether Japanese and Chinese are wanted in vertical lines
 * @returns {'vertical-rl' | 'vertical-lr' | null} null for horizontal lines
 */
export function writingMode(script, isVerticalWanted) {
  if (script === 'mongolian') return 'vertical-lr';
  return script === 'east-asian' && isVerticalWanted ? 'vertical-rl' : null;
}
