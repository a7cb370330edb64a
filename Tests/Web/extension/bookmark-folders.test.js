import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseFolders } from '../../../extension/shared/bookmark-folders.js';

test('folders that hold bookmarks are listed with their paths', () => {
  const link = (url) => ({ id: url, title: url, url });
  const tree = [{ id: '0', title: '', children: [
    { id: '1', title: 'Bar', children: [link('https://a.example/'), { id: '3', title: 'Tea', children: [link('https://b.example/')] }] },
    { id: '2', title: 'Empty', children: [] },
  ] }];
  assert.deepEqual(parseFolders(tree).map(({ id, name, path, bookmarks }) => [id, name, path, bookmarks.length]),
    [['1', 'Bar', 'Bar', 1], ['3', 'Tea', 'Bar / Tea', 1]]);
});
