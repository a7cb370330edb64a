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
