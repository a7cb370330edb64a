import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseServer } from '../../../extension/shared/server-address.js';

test('a server is its origin, however it is typed', () => {
  for (const [typed, origin] of [
    ['https://lectern.example.org/account/?x#y', 'https://lectern.example.org'],
    [' lectern.example.org ', 'https://lectern.example.org'],
    ['localhost:8080', 'http://localhost:8080'],
    ['192.168.1.5:8080/', 'http://192.168.1.5:8080'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['nas.local', 'http://nas.local'],
    ['http://lectern.example.org', 'http://lectern.example.org'],
  ]) assert.equal(parseServer(typed), origin);
});

test('what is no address of a server is refused', () => {
  for (const typed of ['', '  ', 'ftp://a.example', 'javascript:alert(1)', 'https://', 'a b', `https://${'a'.repeat(3000)}`]) {
    assert.throws(() => parseServer(typed), /address of a server/);
  }
});
