import assert from 'node:assert/strict';
import { test } from 'node:test';

import { linksAround } from '../../../../web/reader/beside/links-around.js';

const links = Array.from({ length: 1000 }, (_, index) => ({ id: `${index}` }));

test('the links around the open one are shown, as many as fit', () => {
  const ids = (id, all = links) => linksAround(all, id).map((link) => Number(link.id));
  assert.deepEqual([ids('500').at(0), ids('500').at(-1), ids('500').length], [450, 650, 201]);
  assert.deepEqual([ids('3').at(0), ids('3').at(-1)], [0, 153]);
  assert.deepEqual([ids('999').at(0), ids('999').at(-1)], [949, 999]);
  assert.deepEqual(ids('7', links.slice(5, 9)), [5, 6, 7, 8]);
  assert.deepEqual(ids('7', []), []);
});
