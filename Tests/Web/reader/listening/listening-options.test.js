import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  changeOptions, readOptions, wantedVoice, wantVoice,
} from '../../../../web/reader/listening/listening-options.js';

function storageOf(text) {
  const values = new Map(text === undefined ? [] : [['listening-options', text]]);
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => values.set(key, value) };
}

test('nothing follows an article until it is wanted', () => {
  const storage = storageOf();
  assert.deepEqual(readOptions(storage), { next: false, archive: false, voices: {} });
  changeOptions({ next: true }, storage);
  assert.deepEqual(readOptions(storage), { next: true, archive: false, voices: {} });
});

test('what another page has stored under the name does no harm', () => {
  for (const text of ['no JSON', '[]', '7', '{"next":1,"voices":{"en":2,"de":"D"}}']) {
    const { next, archive, voices } = readOptions(storageOf(text));
    assert.deepEqual([next, archive, voices.en], [false, false, undefined]);
  }
});

test('a voice is remembered for a language with all its regions, and can be forgotten', () => {
  const storage = storageOf();
  wantVoice('en-GB', 'urn:voice:a', storage);
  wantVoice('', 'urn:voice:b', storage);
  assert.deepEqual(['en', 'EN-us', 'de', ''].map((lang) => wantedVoice(lang, storage)), [
    'urn:voice:a', 'urn:voice:a', undefined, 'urn:voice:b',
  ]);
  wantVoice('en', '', storage);
  assert.equal(wantedVoice('en-GB', storage), undefined);
  assert.equal(wantedVoice('constructor', storage), undefined);
});
