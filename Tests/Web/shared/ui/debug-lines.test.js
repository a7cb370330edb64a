import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addLine, hideSecrets, placeOf } from '../../../../web/shared/ui/debug-lines.js';

test('a log keeps its newest lines and cuts long ones', () => {
  let lines = [];
  for (let number = 0; number < 400; number += 1) lines = addLine(lines, `line ${number}`);
  assert.equal(lines.length, 300);
  assert.equal(lines[0], 'line 100');
  assert.equal(addLine([], 'x'.repeat(10_000))[0].length, 500);
});

test('tokens are hidden, and ids of links are not', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.Sfl-KxwRJ_SMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';
  assert.equal(hideSecrets(`Authorization: Bearer ${jwt}`), 'Authorization: …');
  assert.equal(hideSecrets(`it was ${jwt}, they said`), 'it was …, they said');
  assert.equal(hideSecrets('/opds/t/abcdef/new'), '/opds/t/…/new');
  assert.equal(hideSecrets('{"refresh_token": "abc", "n": 1}'), '{"refresh_token": "…", "n": 1}');
  assert.equal(hideSecrets(`lct_${'a1B2'.repeat(10)}`), '…');
  const usual = 'error TypeError: x is undefined at /shared/links/link-store.js:10:3 #/link/'
    + '01234567-89ab-cdef-0123-456789abcdef';
  assert.equal(hideSecrets(usual), usual);
});

test('a place has no query and not what was searched', () => {
  assert.equal(placeOf('http://h/rest/v1/links?title=eq.x'), '/rest/v1/links');
  assert.equal(placeOf('http://h/#/search/my secret'), '/#/search');
  assert.equal(placeOf('http://h/#/link/0123-4567'), '/#/link/0123-4567');
  assert.equal(placeOf('http://h/#access_token=abc'), '/');
});
