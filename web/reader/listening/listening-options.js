// What this browser remembers of listening: the voices, and what happens at the end of an article. This module does not
// use the DOM.

const STORAGE_KEY = 'listening-options';

/**
 * @typedef {object} ListeningOptions
 * @property {boolean} next whether the next article of the list is read aloud at the end of one
 * @property {boolean} archive whether an article is archived when it has been read aloud to its end
 * @property {Record<string, string>} voices language → the `voiceURI` that the user has chosen for it
 */

/**
 * Reads the options.
 * @param {Storage} [storage]
 * @returns {ListeningOptions}
 */
export function readOptions(storage = localStorage) {
  let stored;
  try {
    stored = JSON.parse(storage.getItem(STORAGE_KEY));
  } catch {
    // The defaults apply.
  }
  const voices = Object.entries(stored?.voices ?? {}).filter((entry) => typeof entry[1] === 'string');
  return { next: stored?.next === true, archive: stored?.archive === true, voices: Object.fromEntries(voices) };
}

/**
 * Stores changes of the options.
 * @param {Partial<ListeningOptions>} changes
 * @param {Storage} [storage]
 */
export function changeOptions(changes, storage = localStorage) {
  storage.setItem(STORAGE_KEY, JSON.stringify({ ...readOptions(storage), ...changes }));
}

/**
 * Returns the voice that the user has chosen for a language, or undefined.
 * @param {string} lang BCP 47, or empty
 * @param {Storage} [storage]
 * @returns {string | undefined} a `voiceURI`
 */
export function wantedVoice(lang, storage = localStorage) {
  return new Map(Object.entries(readOptions(storage).voices)).get(language(lang));
}

/**
 * Remembers a voice for a language.
 * @param {string} lang BCP 47, or empty
 * @param {string} voiceURI empty for the best one
 * @param {Storage} [storage]
 */
export function wantVoice(lang, voiceURI, storage = localStorage) {
  const voices = { ...readOptions(storage).voices };
  delete voices[language(lang)];
  if (voiceURI) voices[language(lang)] = voiceURI;
  changeOptions({ voices }, storage);
}

// Regions share a choice: whoever likes a British voice hears American pages with it, too.
function language(lang) {
  return lang.toLowerCase().split(/[-_]/)[0] || 'any';
}
