import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { moduleTexts, otherLiterals, pageTexts } from './strings.js';

const WEB = new URL('../../../../web/', import.meta.url);
const read = (path) => readFileSync(new URL(path, WEB), 'utf8');
const sources = readdirSync(WEB, { recursive: true }).filter((path) => /\.(js|html)$/.test(path)).sort()
  .map((path) => ({ path, source: read(path), isPage: path.endsWith('.html') }));

// These take texts from their callers.
const OF_ALL_TEXTS = ['shared/locale/translate.js', 'shared/locale/page.js'];
const modules = sources.filter(({ path, isPage }) => !isPage && !OF_ALL_TEXTS.includes(path));
const languages = [...read('shared/ui/first-paint.js').match(/LANGUAGES = \{(.*)\}/)[1].matchAll(/(\w+): '/g)]
  .map(([, language]) => language);
const catalogues = Object.fromEntries(languages.map((each) => [each, JSON.parse(read(`locales/${each}.json`))]));
const english = Object.keys(catalogues.en);

/** Literals that look like words and are not for the user: names of keys, products and fonts, and internal errors. */
const NO_TEXTS = [
  'Escape', 'Enter', 'Tab', 'Bearer …',
  'Edge', 'Opera', 'Samsung Internet', 'Vivaldi', 'Firefox', 'Chrome', 'Safari', 'Android', 'Windows', 'Linux',
  'Serif', 'Inter', 'Vollkorn',
  'Pocket', 'Instapaper', 'Omnivore', 'Readwise', 'Pinboard', 'Raindrop', 'Shaarli', 'Matter', 'Linkwarden', 'Markdown',
  'Lectern', 'Files',
  'Offline.', 'There is no copy.', 'Nobody is signed in.', '… is not of this version.',
];

const forms = (entry) => (typeof entry === 'string' ? { other: entry } : entry);
const placeholders = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ');

test('every text of a module or a page is in the English catalogue, and nothing else', () => {
  const pages = sources.filter(({ isPage }) => isPage);
  const used = new Set([
    ...modules.flatMap(({ source }) => moduleTexts(source)),
    ...pages.flatMap(({ source }) => pageTexts(source)),
  ]);
  assert.deepEqual([...used].filter((text) => !english.includes(text)), [], 'missing');
  assert.deepEqual(english.filter((text) => !used.has(text)), [], 'not used');
});

test('modules name their texts literally, and say nothing else', () => {
  for (const { path, source } of modules) {
    for (const name of ['t', 'textParts']) {
      const importOf = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '[^']*/locale/translate.js'`);
      const isImported = importOf.test(source);
      const isUsed = new RegExp(`(?<![\\w$'#]|(?<!\\.\\.)\\.)${name}\\(`).test(source);
      const isGiven = source.includes(`function reasonNames(${name})`);
      assert.equal(isImported || isGiven, isUsed, `${path}: ${name}`);
    }
    assert.ok(moduleTexts(source).every((text) => typeof text === 'string'), path);
    const words = otherLiterals(source).filter((text) => (
      (/^[A-Z][a-z]+(?:[ .…:]|$)/.test(text) || /^[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text)) 
      && !NO_TEXTS.includes(text)));
    assert.deepEqual(words, [], path);
  }
});

test('the English catalogue says what stands in the source', () => {
  for (const [text, entry] of Object.entries(catalogues.en)) {
    const [one, other] = text.replace(/#\w+$/, '').split('|');
    assert.deepEqual(entry, other ? { one, other } : one);
  }
});

for (const language of languages) {
  test(`the catalogue "${language}" is complete`, () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const catalogue = catalogues[language];
    assert.deepEqual(Object.keys(catalogue), english, 'the same texts in the same order');
    for (const [text, entry] of Object.entries(catalogue)) {
      const isPlural = text.includes('|');
      if (isPlural) assert.deepEqual(Object.keys(entry).sort(), [...categories].sort(), text);
      else assert.equal(typeof entry, 'string', text);
      for (const [category, form] of Object.entries(forms(entry))) {
        assert.ok(form.trim(), text);
        // A form for one number may name it in words.
        const isForOne = ['zero', 'one', 'two'].includes(category);
        const expected = placeholders(text);
        const found = isForOne && !form.includes('{n}') ? placeholders(`${form}{n}`) : placeholders(form);
        assert.equal(found, expected, `${text} → ${form}`);
      }
    }
  });
}

test('the settings offer every language under its own name', () => {
  const [, options] = read('settings/index.html').match(/<select id="page-language">(.*?)<\/select>/s);
  const offered = [...options.matchAll(/<option value="(\w+)" lang="(\w+)" translate="no">/g)];
  assert.deepEqual(offered.map(([, value]) => value), languages);
  assert.deepEqual(offered.map(([, , lang]) => lang), languages);
});

test('style sheets fit both directions', () => {
  const sheets = readdirSync(WEB, { recursive: true }).filter((path) => path.endsWith('.css'));
  const side = new RegExp(String.raw`(?:margin|padding|border|inset)-(?:left|right)\b|(?:^|[\s;{])(?:left|right)\s*:`
    + String.raw`|(?:text-align|float):\s*(?:left|right)`, 'g');
  for (const path of sheets) {
    // Sides of the screen itself.
    const rules = read(path).replace(/env\(safe-area-inset-(?:left|right)\)/g, '');
    assert.deepEqual(rules.match(side), null, path);
  }
});
