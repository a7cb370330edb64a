// The highlights of KOReader: its files `metadata.epub.lua`, and its exports as JSON.

import { parseLuaTable } from './lua-table.js';

/** The colours of KOReader as ours. */
const COLORS = {
  yellow: 'yellow', green: 'green', olive: 'green', blue: 'blue', cyan: 'blue', purple: 'purple', red: 'pink', orange: 'orange',
};

const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i;

/** @typedef {import('./clippings.js').ClippedBook} ClippedBook */

/**
 * Reads `metadata.epub.lua`.
 * @param {string} text
 * @returns {ClippedBook[]} one book
 */
export function readSidecar(text) {
  const file = parseLuaTable(text);
  const of = (name) => (file.get(name) instanceof Map ? file.get(name) : new Map());
  const [properties, statistics] = [of('doc_props'), of('stats')];
  const since2024 = [...of('annotations').values()];
  const before = [...of('highlight').values()].flatMap((page) => (page instanceof Map ? [...page.values()] : []));
  const notes = notesOf([...of('bookmarks').values()]);
  return [{
    title: textOf(properties.get('title')) || textOf(statistics.get('title')) || titleOfPath(file.get('doc_path')),
    id: ID.exec(textOf(properties.get('identifiers')))?.[0].toLowerCase(),
    clips: (since2024.length ? since2024 : before).filter((each) => each instanceof Map).map((each) => ({
      // Without a drawer, it is a bookmark.
      quote: each.get('drawer') || !since2024.length ? textOf(each.get('text')) : '',
      note: textOf(each.get('note')) || notes.get(textOf(each.get('datetime'))) || '',
      color: COLORS[each.get('color')],
    })),
  }];
}

/**
 * Reads an export as JSON: of one book, or of several.
 * @param {string} text
 * @returns {ClippedBook[]}
 */
export function readExport(text) {
  const file = JSON.parse(text);
  const books = Array.isArray(file?.documents) ? file.documents : [file];
  return books.filter((book) => Array.isArray(book?.entries)).map(({ title, file: path, entries }) => ({
    title: textOf(title) || titleOfPath(path),
    clips: entries.map((entry) => ({
      quote: textOf(entry?.text), note: textOf(entry?.note), color: COLORS[entry?.color],
    })),
  }));
}

// Older versions keep a note as the text of the bookmark that belongs to the highlight. Without a note, that is a text
// which KOReader makes: "Page 5 the quote @ 2020-01-01 10:00:00".
function notesOf(bookmarks) {
  return new Map(bookmarks
    .filter((each) => each instanceof Map && each.get('highlighted'))
    .map((each) => [textOf(each.get('datetime')), textOf(each.get('text'))])
    .filter(([time, text]) => text && !text.endsWith(`@ ${time}`)));
}

function textOf(value) {
  return typeof value === 'string' ? value : '';
}

function titleOfPath(path) {
  return textOf(path).split('/').at(-1).replace(/\.epub$/i, '');
}
