import assert from 'node:assert/strict';
import { test } from 'node:test';

import { extentOf, wayOfLines, wayOfPages } from '../../../../web/reader/writing/extents.js';
import { verticalScript, writingMode } from '../../../../web/reader/writing/vertical-script.js';

test('Japanese and Chinese can be vertical, by the language or by the letters', () => {
  assert.equal(verticalScript('ja', ''), 'east-asian');
  assert.equal(verticalScript('zh-Hant-TW', 'Lectern'), 'east-asian');
  assert.equal(verticalScript('', '吾輩は猫である。名前はまだ無い。'), 'east-asian');
  assert.equal(verticalScript('en', '这条河从城镇上方的山中流出 (Lectern)'), 'east-asian');
  assert.equal(verticalScript('zh_TW', ''), 'east-asian');
  assert.equal(verticalScript('ko', '나는 고양이로소이다'), null);
  assert.equal(verticalScript('en', 'The word 猫 means cat.'), null);
  assert.equal(verticalScript('', ''), null);
});

test('Mongolian is vertical in its own script, and not in Cyrillic letters', () => {
  assert.equal(verticalScript('mn-Mong', ''), 'mongolian');
  assert.equal(verticalScript('mn-Mong-CN', ''), 'mongolian');
  assert.equal(verticalScript('zh', 'ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ'), 'mongolian');
  assert.equal(verticalScript('mn', 'Монгол бичиг'), null);
  assert.equal(verticalScript('ja', '文字「ᠮᠣᠩ」について'), 'east-asian');
});

test('Mongolian lines follow each other to the right, others to the left if they are wanted', () => {
  assert.deepEqual([false, true].map((isWanted) => writingMode('mongolian', isWanted)), ['vertical-lr', 'vertical-lr']);
  assert.deepEqual([false, true].map((isWanted) => writingMode('east-asian', isWanted)), [null, 'vertical-rl']);
  assert.equal(writingMode(null, true), null);
});

test('extents increase in the direction of reading', () => {
  const [first, second] = [{ left: 80, right: 90, top: 5, bottom: 25 }, { left: 60, right: 75, top: 30, bottom: 40 }];
  assert.deepEqual(extentOf(first, 'down'), { start: 5, end: 25 });
  assert.deepEqual(extentOf(second, 'right'), { start: 60, end: 75 });
  assert.ok(extentOf(first, 'left').end < extentOf(second, 'left').start);
  assert.equal(extentOf(second, 'left').end - extentOf(second, 'left').start, 15);
});

test('pages lie beside each other where lines are horizontal, and below each other where they are vertical', () => {
  assert.deepEqual([wayOfLines(), wayOfLines('vertical-rl'), wayOfLines('vertical-lr')], ['down', 'left', 'right']);
  assert.deepEqual([wayOfPages(undefined, 'ltr'), wayOfPages(undefined, 'rtl')], ['right', 'left']);
  assert.equal(wayOfPages('vertical-rl', 'rtl'), 'down');
});
