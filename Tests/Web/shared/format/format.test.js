import assert from 'node:assert/strict';
import { test } from 'node:test';

import { formatDate, formatExactTime, formatRelativeTime } from '../../../../web/shared/format/dates.js';
import { formatElapsed, formatEstimate, formatNumber, formatSize, formatTenths } from '../../../../web/shared/format/numbers.js';

test('numbers have separators and as many digits as are wanted', () => {
  assert.equal(formatNumber(1200), '1,200');
  assert.equal(formatTenths(1), '1.0');
});

test('durations and sizes are in their largest unit', () => {
  assert.equal(formatEstimate(200), '3 minutes');
  assert.equal(formatEstimate(10), 'less than a minute');
  assert.equal(formatElapsed(20), '0.1 s');
  assert.equal(formatElapsed(12_400), '12 s');
  assert.equal(formatSize(2_500_000), '2.5 MB');
  assert.equal(formatSize(12_400), '12 kB');
  assert.equal(formatSize(999), '999 bytes');
});

test('times are relative to now, in both directions', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  assert.equal(formatRelativeTime('2026-03-10T09:00:00Z', now), '3 hours ago');
  assert.equal(formatRelativeTime('2026-03-12T12:00:00Z', now), 'in 2 days');
  assert.equal(formatRelativeTime('2026-03-10T11:59:58Z', now), 'just now');
  assert.equal(formatRelativeTime('2024-03-10T12:00:00Z', now), '2 years ago');
});

test('dates are as long as is wanted', () => {
  assert.equal(formatDate('2026-01-31T12:00:00Z'), '1/31/2026');
  assert.equal(formatDate('2026-01-31T12:00:00Z', 'long'), 'January 31, 2026');
  assert.match(formatExactTime('2026-01-31T12:00:00Z'), /^January 31, 2026 at /);
});
