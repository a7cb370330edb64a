// Names of tags as they are typed. This module does not use the DOM.

/** The longest name of a tag, in characters. */
export const MAX_NAME = 100;

/**
 * Returns the names in what was typed: separated by commas, with or without `#`, each once.
 * @param {string} typed
 * @returns {string[]}
 */
export function parseTagNames(typed) {
  const names = new Map();
  for (const part of typed.split(/[,，、]/)) {
    const name = part.replace(/\s+/g, ' ').trim().replace(/^#\s*/, '');
    if (name && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()];
}
