import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assemble } from '../../../extension/background/copying.js';
import { copyText } from '../../../extension/shared/texts.js';

const PICTURE = 'data:image/png;base64,AAAA';
const parts = ['<img src="', { url: 'https://a.example/a.png' }, '"><img src="', { url: 'https://a.example/b.png' }, '">'];

test('files take their places, and what nobody could read is left out and counted', async () => {
  const files = { 'https://a.example/a.png': PICTURE };
  assert.deepEqual(await assemble(parts, files), { html: `<img src="${PICTURE}"><img src="">`, missing: 1 });
});

test('what the page could not read, the extension may', async () => {
  const read = async (url) => (url.endsWith('b.png') ? { data: PICTURE } : null);
  assert.deepEqual(await assemble(parts, {}, { read }), { html: `<img src=""><img src="${PICTURE}">`, missing: 1 });
});

test('the copy stays within its bound as JSON, and a page that is too large has none', async () => {
  const files = { 'https://a.example/a.png': 'x'.repeat(60), 'https://a.example/b.png': PICTURE };
  const { html, missing } = await assemble(parts, files, { max: 70 });
  assert.deepEqual([html, missing], [`<img src=""><img src="${PICTURE}">`, 1]);
  assert.ok(JSON.stringify(html).length - 2 <= 70);
  assert.deepEqual(await assemble(['"'.repeat(40)], {}, { max: 70 }), { problem: 'tooLarge' });
});

test('a style sheet of another site is written with its pictures, and cannot end its element', async () => {
  const css = '@import "more.css"; p { background: url(a.png) } q::before { content: "</style><b>" } i { mask: url(#m) }';
  const read = async (url) => (url.endsWith('.css') ? { data: '', text: async () => css } : null);
  const files = { 'https://a.example/css/a.png': PICTURE };
  const { html } = await assemble([{ url: 'https://a.example/css/a.css', isStyle: true }], files, { read });
  assert.equal(html, ` p { background: url("${PICTURE}") } q::before { content: "<\\/style><b>" } i { mask: url(#m) }`);
});

test('the size of a copy is told, and what it lacks', () => {
  assert.equal(copyText(1_234_567, 0), 'A copy of the page is kept (1.2 MB).');
  assert.equal(copyText(900, 1), 'A copy of the page is kept (1 kB). 1 picture or style is missing.');
  assert.equal(copyText(900, 2), 'A copy of the page is kept (1 kB). 2 pictures or styles are missing.');
});
