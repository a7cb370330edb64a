import assert from 'node:assert/strict';
import { test } from 'node:test';

import { beyondBounds, copiesToFetch } from '../../../web/offline/copy-bounds.js';

test('articles are fetched that are not kept or have changed', () => {
  const rows = [
    { id: 'kept', articles: { extracted_at: '1' } },
    { id: 'changed', articles: { extracted_at: '2' } },
    { id: 'new', articles: { extracted_at: '1' } },
    { id: 'without', articles: null },
    { id: 'early', articles: { extracted_at: '1' } },
  ];
  const kept = [
    { id: 'kept', article: { extracted_at: '1' }, pictures: [{ state: 'kept' }, { state: 'failed' }] },
    { id: 'changed', article: { extracted_at: '1' } },
    { id: 'early', article: { extracted_at: '1' }, pictures: [{ state: 'waiting' }] },
  ];
  assert.deepEqual(copiesToFetch(rows, kept), ['changed', 'new', 'early']);
});

test('wanted articles, the last 100 opened and the last 400 other links are kept', () => {
  const number = (count) => Array.from({ length: count }, (_, index) => index);
  const opened = number(102).map((index) => ({ id: `opened ${index}`, openedAt: index + 1 }));
  const articles = [{ id: 'wanted', openedAt: 0 }, { id: 'no longer wanted', openedAt: 0 }, ...opened];
  const others = number(401).map((index) => ({ id: `other ${index}`, updated_at: String(1000 + index) }));
  const links = [{ id: 'wanted' }, { id: 'sent later', state: 'waiting' }, ...others];
  const beyond = beyondBounds(links, articles, new Set(['wanted']));
  assert.deepEqual(beyond.articles, ['no longer wanted', 'opened 0', 'opened 1']);
  assert.deepEqual(beyond.links, ['other 0']);
});
