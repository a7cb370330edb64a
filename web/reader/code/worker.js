// Finds the parts of code: keywords, strings, comments. It runs beside the page, which ends it when it takes too long.
// A classic script, because `languages.js` is one. `hljs` is highlight.js with some languages; deploy/run makes it.

// highlight.js says in the console that its version is old, which is nothing a reader can change.
console.log = () => {};
importScripts('languages.js', 'parts.js');

/** Languages that are tried when an article does not tell the language. */
const GUESSED = [
  'bash', 'cpp', 'cs', 'css', 'go', 'java', 'javascript', 'json', 'kotlin', 'php', 'python', 'ruby', 'rust', 'sql',
  'swift', 'xml', 'yaml',
];

/** Guesses with less evidence than this, and two equal guesses, are ignored: prose and tables stay as they are. */
const ENOUGH_RELEVANCE = 7;

addEventListener('message', ({ data: { text, language } }) => {
  postMessage(partsOfMarkup(markupOf(text, language), text.length));
});

function markupOf(text, language) {
  if (language) return hljs.getLanguage(language) ? hljs.highlight(language, text, true).value : '';
  const { value, relevance, second_best: second } = hljs.highlightAuto(text, GUESSED);
  return relevance >= ENOUGH_RELEVANCE && relevance > (second?.relevance ?? 0) ? value : '';
}
