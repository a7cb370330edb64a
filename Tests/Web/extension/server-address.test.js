import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseServers } from '../../../extension/shared/server-address.js';

test('a server is found at the address that was typed, or above it', () => {
  for (const [typed, ...servers] of [
    ['https://lectern.example.org/account/?x#y', 'https://lectern.example.org/account', 'https://lectern.example.org'],
    ['example.org/a/lectern', 'https://example.org/a/lectern', 'https://example.org/a', 'https://example.org'],
    ['example.org/1/2/3/4', 'https://example.org/1/2/3', 'https://example.org/1/2', 'https://example.org/1',
      'https://example.org'],
    [' lectern.example.org ', 'https://lectern.example.org'],
    ['localhost:8080', 'http://localhost:8080'],
    ['192.168.1.5:8080/', 'http://192.168.1.5:8080'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['nas.local', 'http://nas.local'],
    ['http://lectern.example.org', 'http://lectern.example.org'],
  ]) assert.deepEqual(parseServers(typed), servers);
});

test('what is no address of a server is refused', () => {
  for (const typed of ['', '  ', 'ftp://a.example', 'javascript:alert(1)', 'https://', 'a b', `https://${'a'.repeat(3000)}`]) {
    assert.throws(() => parseServers(typed), /address of a server/);
  }
});
