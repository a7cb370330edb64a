import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import ar from '../../../extension/shared/words/ar.js';
import de from '../../../extension/shared/words/de.js';
import { moduleTexts, otherLiterals, pageTexts } from '../shared/locale/strings.js';

const EXTENSION = new URL('../../../extension/', import.meta.url);
const read = (path) => readFileSync(new URL(path, EXTENSION), 'utf8');
const own = ['background', 'options', 'popup', 'reading-list', 'shared'].flatMap((folder) => (
  readdirSync(new URL(folder, EXTENSION)).map((name) => `${folder}/${name}`)));
// These take texts from their callers.
const OF_ALL_TEXTS = ['shared/words.js', 'shared/translated-page.js'];
const modules = own.filter((path) => path.endsWith('.js') && !OF_ALL_TEXTS.includes(path));
const pages = own.filter((path) => path.endsWith('.html') && !path.startsWith('reading-list/'));
// The popup says why the server found no article.
const shared = ['web/shared/locale/reasons.js'];

/** Literals that look like words and are not for the user: keys, headers, and the name of a token. */
const NO_TEXTS = ['Enter', 'Bearer …', 'Browser extension'];

const placeholders = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ');
const used = [...new Set([
  ...[...modules, ...shared].flatMap((path) => moduleTexts(read(path))),
  ...pages.flatMap((path) => pageTexts(read(path))),
])].sort();

test('modules of the extension name their texts literally, and say nothing else', () => {
  assert.ok(used.every((text) => typeof text === 'string'));
  for (const path of modules) {
    const words = otherLiterals(read(path)).filter((text) => (
      (/^[A-Z][a-z]+(?:[ .…:]|$)/.test(text) || /^[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text))
      && !NO_TEXTS.includes(text)));
    assert.deepEqual(words, [], path);
  }
});

for (const [language, catalogue] of Object.entries({ ar, de })) {
  test(`the extension speaks "${language}"`, () => {
    const known = JSON.parse(read(`web/locales/${language}.json`));
    assert.deepEqual(Object.keys(catalogue).sort(), used, 'all texts, and no others');
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [text, entry] of Object.entries(catalogue)) {
      if (text in known) assert.deepEqual(entry, known[text], 'the same words as in the web app');
      if (text.includes('|')) assert.deepEqual(Object.keys(entry).sort(), [...pluralCategories].sort(), text);
      for (const form of typeof entry === 'string' ? [entry] : [entry.other]) {
        assert.equal(placeholders(form), placeholders(text), text);
      }
    }
  });
}

test('the manifest has its texts in the languages of the extension', () => {
  const names = [...read('manifest.json').matchAll(/__MSG_(\w+)__/g)].map(([, name]) => name).sort();
  assert.ok(names.length);
  for (const language of ['ar', 'de', 'en']) {
    assert.deepEqual(Object.keys(JSON.parse(read(`_locales/${language}/messages.json`))).sort(), names, language);
  }
});
