import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dayAfter, daysOf } from '../../../web/digest/periods.js';

test('a period has its first and last day', () => {
  const day = new Date(2026, 2, 5, 23, 59);
  assert.deepEqual(daysOf('last-month', day), { first: '2026-02-01', last: '2026-02-28' });
  assert.deepEqual(daysOf('this-month', day), { first: '2026-03-01', last: '2026-03-05' });
  assert.deepEqual(daysOf('last-week', day), { first: '2026-02-27', last: '2026-03-05' });
});

test('periods reach over the turn of the year', () => {
  const day = new Date(2026, 0, 2);
  assert.deepEqual(daysOf('last-month', day), { first: '2025-12-01', last: '2025-12-31' });
  assert.deepEqual(daysOf('last-week', day), { first: '2025-12-27', last: '2026-01-02' });
});

test('the day after the last of a month is the first of the next', () => {
  assert.equal(dayAfter('2026-01-31'), '2026-02-01');
  assert.equal(dayAfter('2028-02-28'), '2028-02-29');
  assert.equal(dayAfter('2026-12-31'), '2027-01-01');
});
