import assert from 'node:assert/strict';
import { test } from 'node:test';

import { searchCopies } from '../../../../web/shared/offline/search-copies.js';

const LINKS = [
  { id: 'a', title: 'Café au lait', raw_url: 'https://www.a.org/x', tags: ['Two Words'], status: 'unread', list: 'read',
    state: 'ready', created_at: '2026-01-02', word_count: 200 },
  { id: 'b', title: 'Bread', raw_url: 'http://b.a.org/y', tags: [], status: 'read', list: 'archive', is_starred: true,
    state: 'failed', created_at: '2026-01-03', word_count: 100 },
];

const found = (query) => searchCopies(LINKS, query).map(({ id }) => id).join('');

test('words are found in titles and addresses, without regard to case and accents', () => {
  assert.equal(found('cafe'), 'a');
  assert.equal(found('"au lait"'), 'a');
  assert.equal(found('a.org'), 'ba');
  assert.equal(found('bre*'), 'b');
  assert.equal(found('cafe bread'), '');
  assert.equal(found('-cafe'), 'b');
});

test('terms that need only the columns of a link are understood', () => {
  const queries = {
    'is:unread': 'a', 'is:archived': 'b', '-is:archived': 'a', 'is:starred': 'b', 'is:failed': 'b', 'is:untagged': 'b',
    'tag:"two words"': 'a', '#none': '', 'site:a.org': 'ba', 'site:www.b.a.org': 'b', 'title:bread': 'b', 'url:/x': 'a',
  };
  for (const [query, ids] of Object.entries(queries)) assert.equal(found(query), ids, query);
});

test('the newest come first unless the query names an order', () => {
  assert.equal(found(''), 'ba');
  assert.equal(found('sort:oldest'), 'ab');
  assert.equal(found('sort:title'), 'ba');
  assert.equal(found('sort:longest'), 'ab');
});

test('what needs the server is refused with the reason', () => {
  for (const query of ['in:collection', 'note:x', 'a or b', '(a b)', 'is:broken', 'before:2026-01']) {
    assert.throws(() => found(query), { isFinal: true, message: /^You are offline/ }, query);
  }
});
