import assert from 'node:assert/strict';
import { test } from 'node:test';

import { currentIndex, headingDepths } from '../../../../web/reader/contents/headings.js';

test('levels that a page leaves out do not count, and deep headings share an indentation', () => {
  assert.deepEqual(headingDepths([2, 4, 2, 3, 4, 6, 1, 2]), [0, 1, 0, 1, 2, 2, 0, 1]);
  assert.deepEqual(headingDepths([3, 2, 2]), [0, 0, 0]);
  assert.deepEqual(headingDepths([]), []);
});

test('the current heading is the last one that was reached', () => {
  const tops = [100, 200, 300];
  const at = (place) => currentIndex(tops.length, (index) => tops[index] <= place);
  assert.deepEqual([50, 100, 250, 900].map(at), [-1, 0, 1, 2]);
  assert.equal(currentIndex(0, () => true), -1);
});
