import assert from 'node:assert/strict';
import { test } from 'node:test';

import { continueAt, progressText, readFraction } from '../../../../web/reader/progress/progress-values.js';

const screen = { start: 0, end: 800 };

test('a text is unread at its beginning and read when its end is visible', () => {
  assert.equal(readFraction({ start: 0, end: 4000 }, screen), 0);
  assert.equal(readFraction({ start: -1600, end: 2400 }, screen), 0.5);
  assert.equal(readFraction({ start: -3190, end: 810 }, screen), 1);
  assert.equal(readFraction({ start: 0, end: 700 }, screen), 1);
});

test('progress is told with the minutes that are left', () => {
  assert.equal(progressText(0.35, 6), '35% · 4 min left');
  assert.equal(progressText(0.99, 6), '99% · 1 min left');
  assert.equal(progressText(0.35, null), '35%');
  assert.equal(progressText(1, 6), 'Read to the end');
});

test('another version of a text is continued at the same fraction', () => {
  const progress = { content_hash: 'a', last_read_character_index: 900, percentage_complete: 0.25 };
  assert.equal(continueAt(progress, { hash: 'a', length: 1000 }), 900);
  assert.equal(continueAt(progress, { hash: 'b', length: 2000 }), 500);
  assert.equal(continueAt(progress, { hash: 'a', length: 100 }), 99);
});
