import assert from 'node:assert/strict';
import { test } from 'node:test';

import { quotationMarkdown } from '../../../../web/reader/highlights/quote-markdown.js';

test('a quotation names its article and leads to it', () => {
  const url = 'https://example.org/river';
  assert.equal(
    quotationMarkdown({ quote: ' One.\n\nTwo.  ', title: 'Along the\n river', url }),
    '> One.\n>\n> Two.\n\n[Along the river](https://example.org/river)\n',
  );
});

test('signs of titles and addresses do not end the link', () => {
  const markdown = quotationMarkdown({ quote: 'x', title: 'A [b](c) *d*', url: 'https://example.org/a (b)' });
  assert.equal(markdown, '> x\n\n[A \\[b\\](c) \\*d\\*](https://example.org/a%20%28b%29)\n');
});

test('an address that is not http or https is no link', () => {
  assert.equal(quotationMarkdown({ quote: 'x', title: 'File', url: 'urn:sha256:00' }), '> x\n\nFile\n');
  assert.equal(quotationMarkdown({ quote: 'x', title: 'File', url: 'javascript:alert(1)' }), '> x\n\nFile\n');
});
