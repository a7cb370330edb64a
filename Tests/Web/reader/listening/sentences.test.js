import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chooseVoice, splitIntoSentences, voicesFor } from '../../../../web/reader/listening/sentences.js';

const sentences = (text, lang = 'en', breaks = []) => (
  splitIntoSentences(text, lang, breaks).map(({ start, end }) => text.slice(start, end))
);

test('sentences end at their marks and at the ends of blocks, not at line breaks', () => {
  assert.deepEqual(sentences('It is late.\nWe\ngo home! '), ['It is late.', 'We\ngo home!']);
  assert.deepEqual(sentences('A titleA text', 'en', [7]), ['A title', 'A text']);
  assert.deepEqual(sentences('夜です。帰ります。', 'ja'), ['夜です。', '帰ります。']);
});

test('what has no letter or digit is not spoken, and an unknown language is no failure', () => {
  assert.deepEqual(sentences('One. *** Two.', 'en', [4, 9]), ['One.', 'Two.']);
  assert.deepEqual(sentences('One. Two.', 'no language'), ['One.', 'Two.']);
});

test('a long sentence is spoken in pieces that end between words', () => {
  const text = 'word '.repeat(200).trim();
  const pieces = sentences(text);
  assert.ok(pieces.length > 1 && pieces.every((piece) => piece.length <= 300 && /^word.*word$/.test(piece)));
  assert.equal(pieces.join(' '), text);
});

test('the voice has the language of the article, of the same region if there is one', () => {
  const voices = [{ lang: 'de-DE' }, { lang: 'en_US' }, { lang: 'en-GB', default: true }, { lang: 'fr-FR' }];
  assert.equal(chooseVoice(voices, 'en-US').lang, 'en_US');
  assert.equal(chooseVoice(voices, 'en').lang, 'en-GB');
  assert.equal(chooseVoice(voices, 'fr-CA').lang, 'fr-FR');
  assert.equal(chooseVoice(voices, '').lang, 'en-GB');
  assert.equal(chooseVoice(voices, 'ja'), undefined);
});

test('the voice that the user wants is used for its own language', () => {
  const voices = [{ lang: 'en-GB', voiceURI: 'a' }, { lang: 'en-US', voiceURI: 'b' }, { lang: 'de', voiceURI: 'c' }];
  assert.equal(chooseVoice(voices, 'en-GB', 'b').voiceURI, 'b');
  assert.equal(chooseVoice(voices, 'en-GB', 'c').voiceURI, 'a');
  assert.equal(chooseVoice(voices, '', 'c').voiceURI, 'c');
  assert.deepEqual(voicesFor(voices, 'en').map(({ voiceURI }) => voiceURI), ['a', 'b']);
});
