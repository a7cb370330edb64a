// Sentences of an article, and the voice for its language. This module does not use the DOM.

/** A sentence longer than this is spoken in pieces: some engines stop in the middle of long texts. */
const MAX_LENGTH = 300;

/** @typedef {{start: number, end: number}} TextRange in UTF-16 units; `end` is exclusive */

/**
 * Splits a text into sentences.
 * @param {string} text
 * @param {string} lang BCP 47, or empty
 * @param {Iterable<number>} breaks offsets at which paragraphs and other blocks begin or end
 * @returns {TextRange[]} without white space at the ends
 */
export function splitIntoSentences(text, lang, breaks) {
  const segmenter = (granularity) => new Intl.Segmenter(isLanguage(lang) ? lang : undefined, { granularity });
  const sentences = segmenter('sentence');
  const words = segmenter('word');
  // A line break in the source of a page ends no sentence.
  const lines = text.replace(/[\n\r]/g, ' ');
  const bounds = [...new Set([0, ...breaks, text.length])].sort((a, b) => a - b);
  const pieces = bounds.slice(1).flatMap((end, index) => (
    split(sentences, lines, { start: bounds[index], end })
  ));
  return pieces.flatMap((piece) => (piece.end - piece.start > MAX_LENGTH ? join(split(words, text, piece)) : [piece]))
    .map((piece) => trim(text, piece))
    .filter(({ start, end }) => /[\p{L}\p{N}]/u.test(text.slice(start, end)));
}

/**
 * Returns the voices that speak a language; all of them if the language is not known.
 * @template {{lang: string}} Voice
 * @param {Voice[]} voices
 * @param {string} lang BCP 47, or empty
 * @returns {Voice[]}
 */
export function voicesFor(voices, lang) {
  const [wanted] = lang.toLowerCase().split('-');
  return wanted ? voices.filter((voice) => voiceTag(voice).split('-')[0] === wanted) : voices;
}

/**
 * Returns the voice for a language: the wanted one, else one of the same region if there is one, else of the same
 * language, the default one first.
 * @template {{lang: string, voiceURI?: string, default?: boolean}} Voice
 * @param {Voice[]} voices
 * @param {string} lang BCP 47, or empty
 * @param {string} [voiceURI] of the voice that the user wants
 * @returns {Voice | undefined}
 */
export function chooseVoice(voices, lang, voiceURI) {
  const inLanguage = voicesFor(voices, lang);
  return (voiceURI && inLanguage.find((voice) => voice.voiceURI === voiceURI))
    || inLanguage.find((voice) => lang && voiceTag(voice) === lang.toLowerCase())
    || inLanguage.find((voice) => voice.default)
    || inLanguage[0];
}

// Android writes "en_US".
function voiceTag({ lang }) {
  return lang.toLowerCase().replace('_', '-');
}

function split(segmenter, text, { start, end }) {
  return [...segmenter.segment(text.slice(start, end))].map(({ index, segment }) => (
    { start: start + index, end: start + index + segment.length }
  ));
}

// Joins words to pieces of at most the maximum length.
function join(words) {
  const pieces = [];
  for (const { start, end } of words) {
    const last = pieces.at(-1);
    if (last && end - last.start <= MAX_LENGTH) last.end = end;
    else pieces.push({ start, end });
  }
  return pieces;
}

function trim(text, { start, end }) {
  const piece = text.slice(start, end);
  return { start: start + piece.length - piece.trimStart().length, end: end - piece.length + piece.trimEnd().length };
}

function isLanguage(lang) {
  try {
    return Intl.getCanonicalLocales(lang).length > 0;
  } catch {
    return false;
  }
}
