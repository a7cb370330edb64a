// The lines of the debug log. This module does not use the DOM.

const MAX_LINES = 300;
const MAX_CHARACTERS = 500;

/** Tokens: of sessions, of the API and of feeds, and what stands after a name such as "token". */
const SECRETS = [
  /\beyJ[\w-]+(\.[\w-]*)*/g,
  /\b(?:Bearer|Basic) [^\s"',]+/g,
  /(?<=\/t\/)[^/\s]+/g,
  /(?<=(?:token|key|password|secret)["']?[=:]\s?["']?)[^\s&"',}]+/gi,
  /\b[\w-]{32,}\b(?<![\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})/g,
];

/**
 * Returns the lines with one more, without the oldest ones beyond the bound.
 * @param {string[]} lines
 * @param {string} line
 * @returns {string[]}
 */
export function addLine(lines, line) {
  return [...lines, line.slice(0, MAX_CHARACTERS)].slice(-MAX_LINES);
}

/**
 * Returns a text without tokens.
 * @param {string} text
 * @returns {string}
 */
export function hideSecrets(text) {
  return SECRETS.reduce((rest, secret) => rest.replace(secret, '…'), text);
}

/**
 * Returns the path of an address, with the route in its fragment; without its query and without what was searched.
 * @param {string} url
 * @returns {string}
 */
export function placeOf(url) {
  const { pathname, hash } = new URL(url);
  const [route] = hash.match(/^#\/(link\/[\w-]+|\w+)/) ?? [''];
  return pathname + route;
}
