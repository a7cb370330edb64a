// Work on many items in slices, between which the browser can answer the user and paint.

import { painted } from '../shared/ui/painted.js';

/** A task of 50 ms is felt, and the browser needs twice the time of a slice to lay it out and paint. */
const SLICE_MS = 10;

/**
 * Does something with each item. The first slice runs at once.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => boolean} work returns whether to go on
 */
export async function inSlices(items, work) {
  let start = performance.now();
  for (const item of items) {
    if (performance.now() - start > SLICE_MS) {
      await painted();
      start = performance.now();
    }
    if (!work(item)) return;
  }
}
