import assert from 'node:assert/strict';
import { test } from 'node:test';

import { changedLinks } from '../../../web/list/live-details.js';

const LINKS = [
  { id: 'tea', tagIds: { drinks: 't1' }, highlightCount: 2 },
  { id: 'milk', tagIds: { drinks: 't1', food: 't2' }, highlightCount: 0 },
  { id: 'new' },
];

test('a tag that is added to a link or removed concerns this link', () => {
  assert.deepEqual(changedLinks({ table: 'link_tags', record: { link_id: 'tea', tag_id: 't2' } }, LINKS), ['tea']);
  assert.deepEqual(changedLinks({ table: 'link_tags', old_record: { link_id: 'milk', tag_id: 't1' } }, LINKS), ['milk']);
});

test('a tag that is renamed or deleted concerns the links that have it', () => {
  assert.deepEqual(changedLinks({ table: 'tags', record: { id: 't1' } }, LINKS), ['tea', 'milk']);
  assert.deepEqual(changedLinks({ table: 'tags', old_record: { id: 't2' } }, LINKS), ['milk']);
});

test('a highlight concerns its link, and a deleted one the links that have highlights', () => {
  assert.deepEqual(changedLinks({ table: 'highlights', record: { id: 'h', link_id: 'new' } }, LINKS), ['new']);
  assert.deepEqual(changedLinks({ table: 'highlights', old_record: { id: 'h' } }, LINKS), ['tea']);
});

test('a collection concerns no card', () => {
  assert.deepEqual(changedLinks({ table: 'collections', record: { id: 'c' } }, LINKS), []);
  assert.deepEqual(changedLinks({ table: 'collection_links', old_record: { link_id: 'tea' } }, LINKS), []);
});
