import assert from 'node:assert/strict';
import { test } from 'node:test';

import { complete, completionAt } from '../../../web/list/completions.js';
import { listOfQuery, quoted, tagQuery, termValue, withTerm } from '../../../web/list/query-text.js';

test('values are quoted only where the language needs it', () => {
  assert.equal(quoted('swift'), 'swift');
  assert.equal(quoted('日本'), '日本');
  assert.equal(quoted('two words'), '"two words"');
  assert.equal(quoted('a"b'), '"a b"');
  assert.equal(tagQuery('to read'), 'tag:"to read"');
  assert.equal(tagQuery('a "b"'), 'tag:"a  b "');
});

test('a term replaces all terms with its key, and quotes keep spaces together', () => {
  assert.equal(withTerm('sort:newest cats SORT:title', 'sort', 'oldest'), 'cats sort:oldest');
  assert.equal(withTerm('cats sort:newest', 'sort', ''), 'cats');
  assert.equal(withTerm('tag:"two words" site:a.example', 'site', 'b.example'), 'tag:"two words" site:b.example');
  assert.equal(termValue('x tag:"two words"', 'tag'), 'two words');
  assert.equal(termValue('x', 'tag'), '');
});

test('a query that begins with a list belongs to it', () => {
  assert.equal(listOfQuery('is:archived sort:title'), 'archive');
  assert.equal(listOfQuery('-is:archived'), 'read');
  assert.equal(listOfQuery('cats is:archived'), undefined);
  assert.equal(listOfQuery('is:archived or tag:x'), undefined);
  assert.equal(listOfQuery('-is:archived (cats OR dogs)'), undefined);
  assert.equal(listOfQuery(), undefined);
});

test('what stands before the caret is completed, and the rest of the query stays', () => {
  const text = 'cats #gar more';
  const completion = completionAt(text, 9);
  assert.deepEqual(completion, { kind: 'tags', key: '#', prefix: 'gar', start: 5, end: 9 });
  assert.deepEqual(complete(text, completion, 'garden'), { text: 'cats #garden more', caret: 13 });
  assert.equal(complete(text, completion, 'garden plants').text, 'cats tag:"garden plants" more');
  assert.equal(completionAt('-(site:exa', 10).kind, 'domains');
  assert.equal(completionAt('cats', 4), null);
  assert.equal(completionAt('#a b', 4), null);
});
