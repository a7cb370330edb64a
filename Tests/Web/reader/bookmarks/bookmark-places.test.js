import assert from 'node:assert/strict';
import { test } from 'node:test';

import { describePlace, rangeOfPlace } from '../../../../web/reader/bookmarks/bookmark-places.js';
import { FoldedText } from '../../../../web/reader/highlights/folded-text.js';

const SENTENCES = Array.from({ length: 20 }, (_, number) => `Sentence ${number} tells of the river and of its banks.`);
const page = new FoldedText(SENTENCES.join('\n'));
const stored = new FoldedText(`A title\n\n${SENTENCES.join('\n\n')}`);

test('a place is found again in the text and in a changed one', () => {
  const index = page.text.indexOf('Sentence 7');
  const place = describePlace(page, stored, index);
  assert.equal(place.start_offset, stored.text.indexOf('Sentence 7'));
  assert.ok(place.quote.startsWith('Sentence 7 tells') && place.quote.length <= 121);
  assert.equal(rangeOfPlace(page, stored, place).start, index);
  const changed = new FoldedText(`Something new in front. ${page.text}`);
  assert.equal(rangeOfPlace(changed, new FoldedText(`A title ${changed.text}`), place).start, index + 24);
  const shorter = new FoldedText(SENTENCES.slice(10).join('\n'));
  assert.equal(rangeOfPlace(shorter, shorter, place), null);
  assert.equal(rangeOfPlace(new FoldedText('Another text.'), new FoldedText('Another text.'), place), null);
});

test('the first name is the beginning of the text, cut between words', () => {
  const { name } = describePlace(page, stored, 0);
  assert.equal(name, 'Sentence 0 tells of the river and of its banks. Sentence 1…');
  assert.equal(describePlace(new FoldedText('Short.'), new FoldedText('Short.'), 0).name, 'Short.');
});

test('there is no place behind the text, and no half of a sign is stored', () => {
  assert.equal(describePlace(page, stored, page.text.length), null);
  const signs = new FoldedText(`${'x'.repeat(119)}🌲 and more`);
  assert.equal(describePlace(signs, signs, 0).quote, 'x'.repeat(119));
});

test('a place without an offset is looked for', () => {
  const place = describePlace(page, new FoldedText('Another text.'), page.text.indexOf('Sentence 9'));
  assert.equal('start_offset' in place, false);
  assert.equal(rangeOfPlace(page, stored, { ...place, start_offset: null }).start, page.text.indexOf('Sentence 9'));
});
