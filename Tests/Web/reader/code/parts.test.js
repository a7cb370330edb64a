import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

const script = readFileSync(new URL('../../../../web/reader/code/parts.js', import.meta.url), 'utf8');
const { partsOfMarkup } = runInNewContext(`${script}; ({ partsOfMarkup })`, { Object });

const parts = (markup, length) => [...partsOfMarkup(markup, length)].map(({ kind, start, end }) => [kind, start, end]);

test('spans become parts, the innermost that has a kind', () => {
  const markup = '<span class="hljs-keyword">let</span> x = <span class="hljs-string">"a<span class="hljs-subst">'
    + '${<span class="hljs-number">1</span>}</span>"</span>';
  assert.deepEqual(parts(markup, 'let x = "a${1}"'.length), [
    ['keyword', 0, 3], ['string', 8, 12], ['number', 12, 13], ['string', 13, 15],
  ]);
});

test('escaped signs count as one, and neighbours of a kind are joined', () => {
  assert.deepEqual(parts('&lt;<span class="hljs-name">a</span><span class="hljs-title">b</span>&amp;', 4), [
    ['title', 1, 3],
  ]);
  const comment = '<span class="xml"><span class="hljs-comment">&lt;!--</span><span class="hljs-quote">x</span></span>';
  assert.deepEqual(parts(comment, 5), [['comment', 0, 5]]);
});

test('markup of another text has no parts', () => {
  assert.deepEqual(parts('<span class="hljs-keyword">let</span>', 4), []);
  assert.deepEqual(parts('', 4), []);
  assert.deepEqual(parts('<b class="hljs-keyword">let</b>', 3), []);
});

test('an unknown class looks like what is around it', () => {
  const markup = '<span class="hljs-comment"><span class="hljs-new">a</span></span><span class="toString">b</span>';
  assert.deepEqual(parts(markup, 2), [['comment', 0, 1]]);
});

test('the parts of a text are bounded', () => {
  assert.equal(parts('<span class="hljs-number">1</span> '.repeat(6000), 12_000).length, 5000);
});
