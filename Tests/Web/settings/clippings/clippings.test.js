import assert from 'node:assert/strict';
import { test } from 'node:test';

import { decodeClippings, readClippings } from '../../../../web/settings/clippings/clippings.js';
import { findPassages } from '../../../../web/settings/clippings/passages.js';

const ID = '6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f';

const SIDECAR = `-- we can read Lua syntax here!
return {
    ["annotations"] = {
        [1] = {
            ["chapter"] = "One", ["color"] = "red", ["datetime"] = "2025-01-01 10:00:00", ["drawer"] = "lighten",
            ["note"] = "A \\"note\\"\\
with lines", ["pos0"] = "/body/DocFragment[2].0", ["text"] = "The river\\
begins",
        },
        [2] = { ["datetime"] = "2025-01-02 10:00:00", ["text"] = "in One" },
    },
    ["doc_props"] = { ["identifiers"] = "urn:uuid:${ID.toUpperCase()}", ["title"] = "Über alles" },
}
`;

test('the file of KOReader beside a book has its title, its id, its highlights and notes, and no bookmarks', () => {
  assert.deepEqual(readClippings(SIDECAR), [{
    title: 'Über alles', id: ID, clips: [{ quote: 'The river\nbegins', note: 'A "note"\nwith lines', color: 'pink' }],
  }]);
});

test('the file of an older KOReader has its notes among the bookmarks', () => {
  const [book] = readClippings(`return {
    ["bookmarks"] = {
      [1] = { ["datetime"] = "t1", ["highlighted"] = true, ["notes"] = "a b", ["text"] = "Mine" },
      [2] = { ["datetime"] = "t2", ["highlighted"] = true, ["notes"] = "c d", ["text"] = "Page 5 c d @ t2" },
    },
    ["highlight"] = { [5] = { [1] = { ["datetime"] = "t1", ["text"] = "a b" }, [2] = { ["datetime"] = "t2", ["text"] = "c d" } } },
    ["stats"] = { ["title"] = "Old" },
  }`);
  assert.deepEqual([book.title, ...book.clips.map(({ quote, note }) => [quote, note])], ['Old', ['a b', 'Mine'], ['c d', '']]);
});

test('the JSON export of KOReader has one book or several', () => {
  const book = { title: 'T', file: '/a/b.epub', entries: [{ text: 'q', note: 'n', color: 'blue' }, { text: '' }, 1] };
  const expected = { title: 'T', clips: [{ quote: 'q', note: 'n', color: 'blue' }] };
  assert.deepEqual(readClippings(JSON.stringify(book)), [expected]);
  const several = JSON.stringify({ documents: [book, { ...book, title: undefined }] });
  assert.deepEqual(readClippings(several), [expected, { ...expected, title: 'b' }]);
});

const entry = (title, kind, text) => `${title}\r\n${kind}\r\n\r\n${text}\r\n==========\r\n`;

test('the clippings of a Kindle are grouped by title, and notes belong to the highlight at their place', () => {
  const file = `\uFEFF${[
    entry('Rivers (of Europe) (Ann Author)', '- Your Highlight on page 5 | Location 100-102 | Added on Monday, 1 January 2024 10:00:00', 'The river'),
    entry('Rivers (of Europe) (Ann Author)', '- Your Note on page 5 | Location 102 | Added on Monday, 1 January 2024 10:00:01', 'Mine'),
    entry('Rivers (of Europe) (Ann Author)', '- Your Highlight on page 5 | Location 100-104 | Added on Monday, 1 January 2024 10:00:02', 'The river begins'),
    entry('Rivers (of Europe) (Ann Author)', '- Your Bookmark on page 9 | Location 200 | Added on Monday, 1 January 2024 10:00:03', ''),
    entry('Über alles', '- Ihre Markierung bei Position 7-8 | Hinzugefügt am Montag, 1. Januar 2024', 'Anfang'),
    entry('Über alles', '- Ihre Notiz bei Position 8 | Hinzugefügt am Montag, 1. Januar 2024', 'Meine'),
  ].join('')}`;
  const told = readClippings(file).map(({ title, clips }) => [title, ...clips.map(({ quote, note }) => `${quote} · ${note}`)]);
  assert.deepEqual(told, [['Rivers (of Europe)', 'The river begins · Mine'], ['Über alles', 'Anfang · Meine']]);
});

test('a note of a Kindle may stand before its highlight, and an entry that is repeated keeps its note', () => {
  const [{ clips }] = readClippings([
    entry('A', '- Your Note on Location 104 | Added', 'Mine'), entry('A', '- Your Note on Location 300 | Added', 'Alone'),
    entry('A', '- Your Highlight on Location 90-103 | Added', 'Before'),
    entry('A', '- Your Highlight on Location 100-104 | Added', 'The river'),
    entry('A', '- Your Highlight on Location 100-104 | Added', 'begins'),
    entry('A', '- Your Note on Location 104 | Added', 'Second'),
    entry('A', '- Your Highlight on Location 100-104 | Added', 'begins'),
  ].join(''));
  assert.deepEqual(clips.map(({ quote, note }) => [quote, note]), [['Before', ''], ['The river', 'Mine'], ['begins', 'Second']]);
});

test('a file is UTF-8, or UTF-16 with a byte order mark', () => {
  const text = '\uFEFF川 🌊';
  const units = [...text].flatMap((each) => each.split('').map((unit) => unit.charCodeAt(0)));
  const little = Uint8Array.from(units.flatMap((unit) => [unit & 255, unit >> 8])).buffer;
  const big = Uint8Array.from(units.flatMap((unit) => [unit >> 8, unit & 255])).buffer;
  for (const file of [little, big, new TextEncoder().encode(text).buffer]) assert.equal(decodeClippings(file), '川 🌊');
  for (const bytes of [[], [0xFF], [0x41]]) assert.equal(decodeClippings(Uint8Array.from(bytes).buffer).length, bytes.length);
});

const KINDS = [
  ['- Your Highlight on page 5 | Location 100-104 | Added on', '- Your Note on page 5 | Location 104 | Added on'],
  ['- Highlight on Page 5 | Loc. 1100-04  | Added on', '- Note on Page 5 | Loc. 1104  | Added on'],
  ['- Ihre Markierung auf Seite 5 | Position 100-104 | Hinzugefügt', '- Ihre Notiz auf Seite 5 | Position 104 | Hinzugefügt'],
  ['- Votre surlignement sur la page 5 | emplacement 100-104 | Ajouté', '- Votre note à l’emplacement 104 | Ajouté'],
  ['– Ваш выделенный отрывок в месте 100–104 | Добавлено', '– Ваша заметка в месте 104 | Добавлено'],
  ['- 5ページ|位置No. 100-104のハイライト |作成日', '- 5ページ|位置No. 104のメモ |作成日'],
  ['- 您在第 5 页（位置 #100-104）的标注 | 添加于 2024年1月1日', '- 您在第 5 页（位置 #104）的笔记 | 添加于 2024年1月1日'],
];

test('highlights and notes of a Kindle are recognised in its languages, and the author may be part of the title', () => {
  for (const [highlight, note] of KINDS) {
    const other = highlight.replace('100', '200').replace('104', '204').replace('-04', '-99');
    const file = entry('A (B)', highlight, 'The river') + entry('A (B)', other, 'begins') + entry('A (B)', note, 'Mine');
    const clips = readClippings(file).map(({ title, heading, clips: all }) => [title, heading, ...all.map((clip) => clip.note)]);
    assert.deepEqual(clips, [['A', 'A (B)', 'Mine', '']], highlight);
  }
});

test('the Markdown export of KOReader has books, chapters, styles and notes', () => {
  const place = '### Page 5 @ 01 January 2024 10:00:00 AM';
  const told = readClippings([
    '# One: # 1', '##### Ann', '', '## First', place, '*The river', 'begins*', place, '**_bold_**', '', '---', 'My', 'note', '',
    '[View in book](<file:///a.epub?pos=x>)', '## Second', place, '# no title', '# Two', '##### N/A', '', place,
    '<u>a * b</u>', '', '_Generated at: 2024-01-01_',
  ].join('\n'));
  assert.deepEqual(told.map(({ title, clips }) => [title, ...clips.map(({ quote, note }) => [quote, note])]), [
    ['One: # 1', ['The river\nbegins', ''], ['bold', 'My\nnote'], ['# no title', '']], ['Two', ['a * b', '']],
  ]);
});

test('another file, a broken one and a hostile one are refused with a sentence', () => {
  const deep = `return ${'{'.repeat(100_000)}`;
  const lua = ['return {["a"] = os.exit()}', 'return {', 'return 1', deep, `return {"${'x'.repeat(1_000_000)}`, 'return {[{}] = }'];
  for (const text of ['', 'Hello', '{', '{"a":1', ...lua]) {
    assert.throws(() => readClippings(text), /^Error: (?:The file is damaged|Lectern does not recognise this)/, text.slice(0, 40));
  }
  for (const text of ['{}', '{"documents": 1}', 'return {}', 'return {["annotations"] = 5, ["highlight"] = {1, {2}}}']) {
    assert.deepEqual(readClippings(text), []);
  }
  const many = JSON.stringify({ title: 'x', entries: Array.from({ length: 20_001 }, () => ({ text: 'x' })) });
  assert.throws(() => readClippings(many), /20,000/);
});

test('a passage is found whatever its white space, once, and with its place', () => {
  const text = 'One two\n\nthree  four. Five.';
  const clip = (quote, note = '') => ({ quote, note });
  const found = findPassages(text, [clip('two three\u00AD four', ' N '), clip('two  three four'), clip('Five.'), clip('Six')], [{ quote: 'Five.' }]);
  assert.equal(found.known, 2);
  assert.deepEqual(found.rest, [clip('Six')]);
  assert.deepEqual(found.rows, [{
    quote: 'two\n\nthree  four', prefix: 'One ', suffix: '. Five.', start_offset: 4, end_offset: 20, note: 'N', color: 'yellow',
  }]);
});
