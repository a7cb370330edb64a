// Binary search.

/**
 * Returns the first index for which a condition holds that holds for all after it, or `count`.
 * @param {number} count
 * @param {(index: number) => boolean} holds
 * @returns {number}
 */
export function firstIndex(count, holds) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
