import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Selection } from '../../../web/list/selection.js';

const ORDER = ['a', 'b', 'c', 'd', 'e'];

test('links are selected one by one, and taken out again', () => {
  let changes = 0;
  const selection = new Selection(() => (changes += 1));
  selection.toggle('a', ORDER);
  selection.toggle('c', ORDER);
  selection.toggle('a', ORDER);
  assert.deepEqual(selection.ids, ['c']);
  assert.equal(changes, 3);
});

test('a range reaches from the last link to this one, in either direction', () => {
  const selection = new Selection(() => {});
  selection.toggle('d', ORDER);
  selection.extendTo('b', ORDER);
  assert.deepEqual(selection.ids.sort(), ['b', 'c', 'd']);
  const other = new Selection(() => {});
  other.extendTo('b', ORDER);
  assert.deepEqual(other.ids, ['b']);
});

test('everything includes what is loaded later, and one link taken out leaves those that are shown', () => {
  const selection = new Selection(() => {});
  selection.selectAll();
  assert.ok(selection.has('not loaded'));
  selection.toggle('b', ORDER);
  assert.equal(selection.isAll, false);
  assert.deepEqual(selection.ids, ['a', 'c', 'd', 'e']);
  selection.clear();
  assert.ok(selection.isEmpty);
});
