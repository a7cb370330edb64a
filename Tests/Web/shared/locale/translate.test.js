import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const load = (query) => import(`../../../../web/shared/locale/translate.js?${query}`);

test('English says what stands in the source', async () => {
  const { t, textParts, locale } = await load('english');
  assert.equal(t('Archive#verb'), 'Archive');
  assert.equal(t('{n} link|{n} links', { n: 1 }), '1 link');
  assert.equal(t('{n} link|{n} links', { n: 1200 }), '1,200 links');
  assert.equal(t('Moved to {list}.', { list: 'Archive' }), 'Moved to Archive.');
  const time = { nodeType: 1 };
  assert.deepEqual(textParts('Deleted {time}', { time }), ['Deleted ', time]);
  assert.equal(locale, 'en-u-nu-latn');
});

test('Arabic has six plural forms, and names in other scripts are isolated', async () => {
  // What the module takes from a browser.
  globalThis.document = { documentElement: { lang: 'ar-EG', dir: 'rtl' }, querySelectorAll: () => [] };
  globalThis.fetch = async (url) => new Response(readFileSync(url));
  const { t, locale, joinFacts, reasonText } = await load('arabic');
  assert.equal(locale, 'ar-EG-u-nu-latn');
  const said = [0, 1, 2, 3, 11, 100].map((n) => t('{n} link|{n} links', { n }));
  assert.deepEqual(said, ['لا روابط', 'رابط واحد', 'رابطان', '3 روابط', '11 رابطًا', '100 رابط']);
  assert.equal(t('Deleted tag {name}.', { name: 'a' }), 'حُذف الوسم \u200f\u2068a\u2069.');
  // A line that begins with a name keeps its direction.
  assert.equal(joinFacts(['example.org', '', '2']), '\u200f\u2068example.org\u2069 · \u200f\u20682\u2069');
  assert.equal(reasonText('timeout', 'The site was too slow.'), 'كان الموقع بطيئًا جدًا.');
  assert.equal(reasonText('unknown', 'Of the server.'), 'Of the server.');
});
