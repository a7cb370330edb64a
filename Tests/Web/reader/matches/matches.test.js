import assert from 'node:assert/strict';
import { test } from 'node:test';

import { findMatches } from '../../../../web/reader/matches/find-matches.js';

const found = (text, query) => findMatches(text, query).map(({ start, end }) => text.slice(start, end));

test('words are found whatever their case, accents, width and form', () => {
  assert.deepEqual(found('The Café and the cafe', 'cafe'), ['Café', 'cafe']);
  assert.deepEqual(found('Straße, STRASSE, Ｓｔｒａßｅ', 'strasse'), ['Straße', 'STRASSE', 'Ｓｔｒａßｅ']);
  assert.deepEqual(found('She walked, he walks, walking runs. Walker', 'walk'), ['walked', 'walks', 'walking', 'Walker']);
  assert.deepEqual(found('running runs', 'run'), ['running', 'runs']);
  assert.deepEqual(found('no part of another word: overrun', 'run'), []);
});

test('phrases, beginnings of words and parts side by side are found', () => {
  const text = 'The river runs. A river, runs of rivers; a@b.org and 16:9.';
  assert.deepEqual(found(text, '"river runs"'), ['river runs', 'river, runs']);
  assert.deepEqual(found(text, 'riv*'), ['river', 'river', 'rivers']);
  assert.deepEqual(found(text, 'a@b.org 16:9'), ['a@b.org', '16:9']);
});

test('what is not searched in the text is not marked', () => {
  const query = '-river is:unread #river tag:river title:river note:river url:river sort:newest (hill or tree)';
  assert.deepEqual(found('river or and hill unread newest tree', query), ['hill', 'tree']);
  assert.deepEqual(found('anything', 'is:unread'), []);
  assert.deepEqual(found('anything', ''), []);
});

test('any run of characters is found where words have no spaces', () => {
  assert.deepEqual(found('東京都は日本の首都である。京都', '京都'), ['京都', '京都']);
  assert.deepEqual(found('แม่น้ำเจ้าพระยา', 'ไม่มี'), []);
});

test('places that overlap are marked once', () => {
  assert.deepEqual(found('one river bank', '"river bank" river bank'), ['river bank']);
});
