// The headings of an article as values. This module does not use the DOM.

/** Deeper headings are not indented further. */
const MAX_DEPTH = 2;

/**
 * Returns how deep each heading is, 0 for the highest. Levels that a page leaves out do not count.
 * @param {number[]} levels 1 to 6, in the order of the text
 * @returns {number[]}
 */
export function headingDepths(levels) {
  const open = [];
  return levels.map((level) => {
    while (open.length && open.at(-1) >= level) open.pop();
    open.push(level);
    return Math.min(open.length - 1, MAX_DEPTH);
  });
}

/**
 * Returns the index of the last heading that has been reached, or -1.
 * @param {number} count
 * @param {(index: number) => boolean} isReached true for the headings up to that one
 * @returns {number}
 */
export function currentIndex(count, isReached) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
