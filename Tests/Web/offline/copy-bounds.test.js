import assert from 'node:assert/strict';
import { test } from 'node:test';

import { beyondBounds, copiesToFetch } from '../../../web/offline/copy-bounds.js';

test('articles are fetched that are not kept, have changed, or were kept without their pictures', () => {
  const articles = { extracted_at: '1' };
  const stored = (address) => ({ kind: 'article', state: 'kept', pictures: { address } });
  const icon = { ...stored('icon'), kind: 'icon' };
  const failed = { kind: 'article', state: 'failed', pictures: null };
  const rows = [
    { id: 'kept', articles, link_pictures: [stored('a'), failed, icon] },
    { id: 'changed', articles: { extracted_at: '2' } },
    { id: 'new', articles },
    { id: 'without', articles: null },
    { id: 'early', articles },
    { id: 'before the list of pictures', articles, link_pictures: [stored('a')] },
  ];
  const kept = [
    { id: 'kept', article: articles, pictures: [stored('a'), failed] },
    { id: 'changed', article: articles },
    { id: 'early', article: articles, pictures: [{ state: 'waiting' }] },
    { id: 'before the list of pictures', article: articles, pictures: [] },
  ];
  assert.deepEqual(copiesToFetch(rows, kept), ['changed', 'new', 'early', 'before the list of pictures']);
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
