import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LayoutCache, layoutKey } from '../../../../web/reader/pages/layout-cache.js';
import {
  clampPage, pageAt, pageFraction, pageOf, turnOfKey, turnOfSide,
} from '../../../../web/reader/pages/page-layout.js';

test('a character is on the last page that begins at or before it', () => {
  const layout = { pages: 4, starts: [0, 100, 250, 400] };
  assert.deepEqual([0, 99, 100, 249, 399, 400, 9000].map((index) => pageOf(layout, index)), [0, 0, 1, 1, 2, 3, 3]);
});

test('a text is read to the end on its last page', () => {
  assert.equal(pageFraction(0, 5), 0);
  assert.equal(pageFraction(2, 5), 0.5);
  assert.equal(pageFraction(4, 5), 1);
  assert.equal(pageFraction(6, 5), 1);
  assert.equal(pageFraction(0, 1), 1);
});

test('a place belongs to the page that it is on, even if it begins a fraction of a pixel before', () => {
  assert.deepEqual([0, 699.4, 700, 1399].map((left) => pageAt(left, 700)), [0, 1, 1, 2]);
  assert.deepEqual([-1, 0, 7].map((page) => clampPage(page, 3)), [0, 0, 2]);
});

test('keys turn in the direction of the script', () => {
  const leftToRight = { isShifted: false, isRightToLeft: false };
  const rightToLeft = { isShifted: false, isRightToLeft: true };
  assert.equal(turnOfKey('ArrowRight', leftToRight), 1);
  assert.equal(turnOfKey('ArrowRight', rightToLeft), -1);
  assert.equal(turnOfKey('ArrowLeft', rightToLeft), 1);
  for (const options of [leftToRight, rightToLeft]) {
    assert.deepEqual(['PageDown', 'PageUp', 'ArrowDown', ' '].map((key) => turnOfKey(key, options)), [1, -1, 1, 1]);
  }
  assert.equal(turnOfKey(' ', { isShifted: true, isRightToLeft: false }), -1);
  assert.equal(turnOfKey('ArrowRight', { isShifted: true, isRightToLeft: false }), 0);
  assert.equal(turnOfKey('toString', leftToRight), 0);
  assert.equal(turnOfSide('left', false), -1);
});

test('layouts are kept for five minutes, the fifty that were used last', () => {
  let now = 0;
  const cache = new LayoutCache(() => now);
  const layout = { pages: 1, starts: [0] };
  for (let number = 0; number < 50; number += 1) cache.set(`key ${number}`, layout);
  assert.equal(cache.get('key 0'), layout);
  cache.set('key 50', layout);
  assert.equal(cache.size, 50);
  assert.equal(cache.get('key 0'), layout);
  assert.equal(cache.get('key 1'), undefined);
  now = 299_999;
  assert.equal(cache.get('key 2'), layout);
  now = 300_000;
  assert.equal(cache.get('key 2'), undefined);
});

test('another text, size of the page or setting is another layout', () => {
  const conditions = { hash: 'a', width: 600.2, height: 800, style: '--reader-size: 1rem' };
  const key = layoutKey(conditions);
  assert.equal(layoutKey({ ...conditions, width: 600.3 }), key);
  for (const other of [{ hash: 'b' }, { width: 601 }, { height: 700 }, { style: '' }]) {
    assert.notEqual(layoutKey({ ...conditions, ...other }), key);
  }
});
