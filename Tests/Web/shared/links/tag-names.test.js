import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseTagNames } from '../../../../web/shared/links/tag-names.js';

test('names are separated by commas, with or without #, each once', () => {
  assert.deepEqual(parseTagNames(' #long   walks, Rivers，rivers, , # sea'), ['long walks', 'Rivers', 'sea']);
  assert.deepEqual(parseTagNames(' , '), []);
});
