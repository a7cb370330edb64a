import assert from 'node:assert/strict';
import { test } from 'node:test';

import { describeChange } from '../../../web/offline/change-text.js';

test('a waiting change says what it does', () => {
  assert.equal(describeChange({ kind: 'update', changes: { list: 'archive', is_starred: false } }), 'Archive, Remove star');
  assert.equal(describeChange({ kind: 'update', changes: { title: 'x' } }), 'Change');
  assert.equal(describeChange({ kind: 'delete' }), 'Delete');
  assert.equal(describeChange({ kind: 'tag', name: 'later' }), 'Add tag later');
  assert.equal(describeChange({ kind: 'request', label: 'Note' }), 'Note');
});
