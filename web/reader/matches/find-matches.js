// The places of a text that match a search. This module does not use the DOM.

import { fold, isUnspaced, queryPhrases, stem, wordsOf } from './query-words.js';

/** More places than this are not marked. */
const MAX_MATCHES = 5000;

/** @typedef {{start: number, end: number}} TextRange in UTF-16 units; `end` is exclusive */

/**
 * Returns where a text matches a query.
 * @param {string} text
 * @param {string} query
 * @returns {TextRange[]} in the order of the text; none overlaps another
 */
export function findMatches(text, query) {
  const phrases = queryPhrases(query);
  if (!phrases.length) return [];
  const words = wordsOf(text);
  const stems = new Map();
  const stemOf = (word) => {
    if (!stems.has(word)) stems.set(word, stem(word));
    return stems.get(word);
  };
  const found = phrases.flatMap((phrase) => (
    phrase.some((word) => isUnspaced(word.text))
      ? findRuns(text, phrase.map((word) => word.text).join(''))
      : findPhrase(words, phrase, stemOf)
  ));
  return withoutOverlaps(found).slice(0, MAX_MATCHES);
}

function findPhrase(words, phrase, stemOf) {
  const tests = phrase.map(({ text, isPrefix }) => {
    if (isPrefix) return (word) => word.startsWith(text);
    const wanted = stem(text);
    return (word) => word === text || stemOf(word) === wanted;
  });
  const found = [];
  for (let first = 0; first + tests.length <= words.length; first += 1) {
    if (tests.every((test, index) => test(words[first + index].text))) {
      found.push({ start: words[first].start, end: words[first + tests.length - 1].end });
    }
  }
  return found;
}

// Any run of characters counts where there are no spaces. Folding keeps the length of nearly all of them.
function findRuns(text, run) {
  const folded = Array.from(text, (sign) => {
    const plain = fold(sign);
    return plain.length === sign.length ? plain : sign;
  }).join('');
  const found = [];
  for (let start = folded.indexOf(run); start >= 0; start = folded.indexOf(run, start + run.length)) {
    found.push({ start, end: start + run.length });
  }
  return found;
}

function withoutOverlaps(ranges) {
  const sorted = [...ranges].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept = [];
  for (const range of sorted) {
    if (!kept.length || range.start >= kept.at(-1).end) kept.push(range);
  }
  return kept;
}
