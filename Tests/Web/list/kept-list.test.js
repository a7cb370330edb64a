import assert from 'node:assert/strict';
import { test } from 'node:test';

import { keepLinks, keptLinks } from '../../../web/list/kept-list.js';

const stored = new Map();
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, value),
};
const ann = { user: 'ann' };
const list = { name: 'read', firstLinks: Array.from({ length: 30 }, (_, id) => ({ id })) };

test('the top of a list is kept for its user and for this list only', () => {
  assert.equal(keptLinks(ann, 'read'), undefined);
  keepLinks(ann, list);
  assert.deepEqual(keptLinks(ann, 'read'), list.firstLinks.slice(0, 20));
  assert.equal(keptLinks(ann, 'archive'), undefined);
  assert.equal(keptLinks({ user: 'bob' }, 'read'), undefined);
});

test('nothing is kept of a search, before a list is loaded, and after signing out', () => {
  stored.clear();
  keepLinks(ann, { name: undefined, firstLinks: undefined });
  keepLinks(null, list);
  assert.equal(stored.size, 0);
});
