// The words of a search that an article may contain. docs/search.md describes the language of queries; the server
// parses it, and this module only finds what can be marked in a text. It does not use the DOM.

import { terms } from '../../list/query-text.js';

/** Keys whose values say nothing about the text of the article. A word with another one is searched as text. */
const KEYS = /^(?:is|tag|in|site|title|note|url|before|after|age|kind|lang|minutes|sort):/i;

/** Letters without an accent that the server treats like others. */
const FOLDED = { æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', ł: 'l', ð: 'd', þ: 'th' };

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Writing without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Endings of words in European languages, the longest first. */
const ENDINGS = ['ings', 'ing', 'ern', 'ies', 'ied', 'edly', 'ed', 'es', 'en', 'er', 'em', 'e', 's', 'n', 'y'];

/** What is left of a word without its ending has at least this many letters. */
const MIN_STEM = 3;

/** @typedef {{text: string, isPrefix: boolean}} Word folded */

/**
 * Returns the words and phrases of a query that a text is searched for.
 * @param {string} query
 * @returns {Word[][]} words that stand side by side
 */
export function queryPhrases(query) {
  const phrases = [];
  for (const written of terms(query)) {
    const term = written.replace(/^\(+/, '').replace(/\)+$/, '');
    const isLeftOut = /^[-#]/.test(term) || KEYS.test(term) || /^(?:or|and)$/i.test(term);
    if (isLeftOut) continue;
    const isPrefix = term.endsWith('*');
    const words = wordsOf(term).map(({ text }) => ({ text, isPrefix: false }));
    if (!words.length) continue;
    words.at(-1).isPrefix = isPrefix;
    phrases.push(words);
  }
  return phrases;
}

/**
 * Returns the words of a text. A run of Chinese, Japanese, Korean or Thai is one word.
 * @param {string} text
 * @returns {{text: string, start: number, end: number}[]} folded, with their places in the text
 */
export function wordsOf(text) {
  const known = new Map();
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => {
    let folded = known.get(word);
    if (folded === undefined) {
      folded = fold(word);
      known.set(word, folded);
    }
    return { text: folded, start: index, end: index + word.length };
  });
}

/**
 * Returns a word without case, accents and width.
 * @param {string} word
 */
export function fold(word) {
  const plain = word.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase();
  return plain.replace(/[æœøđıßłðþ]/g, (letter) => FOLDED[letter]);
}

/**
 * Returns what different forms of a word have in common, such as "walk" of "walked" and "walking".
 * @param {string} word folded
 */
export function stem(word) {
  const ending = ENDINGS.find((each) => word.endsWith(each) && word.length - each.length >= MIN_STEM);
  const rest = ending ? word.slice(0, -ending.length) : word;
  return rest.length > MIN_STEM ? rest.replace(/([b-df-hj-np-rt-z])\1$/, '$1') : rest;
}

/**
 * Tells whether a word is written without spaces around it.
 * @param {string} word
 */
export function isUnspaced(word) {
  return UNSPACED.test(word);
}
