import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CAPTURE_TIMEOUT_MS, LOOK_PAUSES_MS } from '../../../extension/shared/timing.js';

test('the popup still looks when a page that does not answer is given up', () => {
  assert.ok(LOOK_PAUSES_MS.reduce((sum, pause) => sum + pause) > CAPTURE_TIMEOUT_MS);
});
