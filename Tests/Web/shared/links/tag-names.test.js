import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseTagNames, tagQuery } from '../../../../web/reader/tags/tag-names.js';

test('names are separated by commas, with or without #, each once', () => {
  assert.deepEqual(parseTagNames(' #long   walks, Rivers，rivers, , # sea'), ['long walks', 'Rivers', 'sea']);
  assert.deepEqual(parseTagNames(' , '), []);
});

test('the query of a tag quotes its name', () => {
  assert.equal(tagQuery('a "b"'), 'tag:"a  b "');
});
