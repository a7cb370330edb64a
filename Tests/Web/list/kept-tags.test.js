import assert from 'node:assert/strict';
import { test } from 'node:test';

import { keepTags, keptTags } from '../../../web/list/kept-tags.js';

const stored = new Map();
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, value),
};
const ann = { user: 'ann' };
const tags = [{ id: '1', name: 'slow reads', count: 3 }];

test('tags are kept for their user only', () => {
  assert.deepEqual(keptTags(ann), []);
  keepTags(ann, tags);
  assert.deepEqual(keptTags(ann), tags);
  assert.deepEqual(keptTags({ user: 'bob' }), []);
  assert.deepEqual(keptTags(null), []);
});

test('nothing is kept after signing out, and a full storage does no harm', () => {
  stored.clear();
  keepTags(null, tags);
  assert.equal(stored.size, 0);
  localStorage.setItem = () => { throw new Error('QuotaExceededError'); };
  keepTags(ann, tags);
  assert.deepEqual(keptTags(ann), []);
});
