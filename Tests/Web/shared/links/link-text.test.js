import assert from 'node:assert/strict';
import { test } from 'node:test';

import { linkFacts, linkHost, linkStatus, linkTitle, shortLinkTitle } from '../../../../web/shared/links/link-text.js';

const link = { raw_url: 'http://short.example/x', resolved_url: 'https://www.example.org/a/b/', title_is_text: true };

test('a link without a title is named by its address', () => {
  assert.equal(linkTitle(link), 'example.org/a/b');
  assert.equal(linkTitle({ ...link, title: 'A title' }), 'A title');
  assert.equal(linkHost(link), 'example.org');
});

test('long titles are cut inside sentences', () => {
  const title = 'x'.repeat(200);
  assert.equal(shortLinkTitle({ ...link, title }), `${'x'.repeat(80)}…`);
});

test('the reading time comes from the server, or from the words', () => {
  assert.equal(linkFacts({ reading_time: 4, word_count: 10 }, 'example.org', null), 'example.org · 4 min');
  assert.equal(linkFacts({ word_count: 401 }), '3 min');
  assert.equal(linkFacts({}, 'example.org'), 'example.org');
});

test('the status says why there is no article and whether the page is being fetched', () => {
  assert.equal(linkStatus({ state: 'pending' }), 'Fetching the page…');
  assert.equal(linkStatus({ state: 'pending', reason_message: 'Slow.' }), 'Slow. Fetching the page…');
  assert.equal(linkStatus({ state: 'failed' }), 'No article was found on this page.');
});
