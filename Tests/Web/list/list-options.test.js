import assert from 'node:assert/strict';
import { test } from 'node:test';

import { changeListOptions, readListOptions } from '../../../web/list/list-options.js';

const storage = (stored) => {
  const values = new Map([['list-options', stored]]);
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => values.set(key, value) };
};
const DEFAULTS = { shelf: true, right: 'archive', left: 'delete' };

test('a browser without options has the defaults', () => {
  for (const stored of [undefined, 'null', '{', '[]', '{"right":"retry","left":7}']) {
    assert.deepEqual(readListOptions(storage(stored)), DEFAULTS, stored);
  }
});

test('an option that is changed leaves the others', () => {
  const own = storage();
  changeListOptions({ left: '' }, own);
  changeListOptions({ shelf: false }, own);
  assert.deepEqual(readListOptions(own), { shelf: false, right: 'archive', left: '' });
});
