import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseRoute, searchHash } from '../../../web/list/route.js';

const ID = '01234567-89ab-4def-8123-456789abcdef';

test('each place has its route, and anything unknown is the list To Read', () => {
  assert.deepEqual(parseRoute(`#/link/${ID}`), { linkId: ID });
  assert.deepEqual(parseRoute('#/trash'), { isTrash: true });
  assert.deepEqual(parseRoute('#/archive'), { list: 'archive' });
  for (const hash of ['', '#', '#/read', '#/link/../x', '#/nowhere', '#/search/', '#/search/%']) {
    assert.deepEqual(parseRoute(hash), { list: 'read' }, hash);
  }
});

test('a query comes back from its address as it was, whatever it holds', () => {
  for (const query of ['cats', 'a/b?c#d', '100 %', '日本 "x y"', '<script>', "'"]) {
    assert.deepEqual(parseRoute(searchHash(query)), { query });
  }
  assert.equal(searchHash('  '), '#/read');
});
