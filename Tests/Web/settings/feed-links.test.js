import assert from 'node:assert/strict';
import { test } from 'node:test';

import { feedLinks } from '../../../web/settings/feed-links.js';

const path = (list) => feedLinks('https://l.example', 'lct_x', list).atom.replace('https://l.example/feed/t/lct_x/', '');

test('each list has the addresses of its feed in both formats', () => {
  assert.deepEqual(feedLinks('https://l.example', 'lct_x', { kind: 'unread' }), {
    atom: 'https://l.example/feed/t/lct_x/unread.atom',
    json: 'https://l.example/feed/t/lct_x/unread.json',
    opds: 'https://l.example/opds/t/lct_x',
  });
  assert.equal(path({ kind: 'collection', id: 'a-b' }), 'collection/a-b.atom');
});

test('names of tags are encoded', () => {
  assert.equal(path({ kind: 'tag', name: 'a/b 100%?#' }), 'tag/a%2Fb%20100%25%3F%23.atom');
});
