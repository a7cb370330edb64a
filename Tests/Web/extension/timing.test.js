import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  CAPTURE_TIMEOUT_MS, HELD_ALARM_MINUTES, HELD_PAUSES_MS, LOOK_PAUSES_MS,
} from '../../../extension/shared/timing.js';

const sum = (pauses) => pauses.reduce((all, pause) => all + pause);

test('the popup still looks when a page that does not answer is given up', () => {
  assert.ok(sum(LOOK_PAUSES_MS) > CAPTURE_TIMEOUT_MS);
});

test('the link of a held page is looked at until the alarm rings, and the service worker is not stopped before', () => {
  const alarm = HELD_ALARM_MINUTES * 60_000;
  assert.ok(sum(HELD_PAUSES_MS) < alarm && sum(HELD_PAUSES_MS) + HELD_PAUSES_MS.at(-1) >= alarm);
  assert.ok(Math.max(...HELD_PAUSES_MS) < 30_000);
});
