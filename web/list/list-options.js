// What this browser remembers of lists: what swipes do, and whether there is a shelf. This module does not use the DOM.

const STORAGE_KEY = 'list-options';

/** What a swipe can do: `data-do` values, and the empty text for nothing. */
const SWIPES = ['archive', 'read', 'star', 'delete', ''];

/**
 * @typedef {object} ListOptions
 * @property {boolean} shelf whether To Read begins with what the user has begun to read
 * @property {string} right what a swipe to the right does, one of `SWIPES`
 * @property {string} left
 */

/**
 * Reads the options.
 * @param {Storage} [storage]
 * @returns {ListOptions}
 */
export function readListOptions(storage = localStorage) {
  let stored;
  try {
    stored = JSON.parse(storage.getItem(STORAGE_KEY));
  } catch {
    // The defaults apply.
  }
  const swipe = (side, action) => (SWIPES.includes(stored?.[side]) ? stored[side] : action);
  return { shelf: stored?.shelf !== false, right: swipe('right', 'archive'), left: swipe('left', 'delete') };
}

/**
 * Stores changes of the options.
 * @param {Partial<ListOptions>} changes
 * @param {Storage} [storage]
 */
export function changeListOptions(changes, storage = localStorage) {
  storage.setItem(STORAGE_KEY, JSON.stringify({ ...readListOptions(storage), ...changes }));
}
