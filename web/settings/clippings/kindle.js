// `My Clippings.txt` of a Kindle: entries of four parts, the title, what it is and where, an empty line, and the text.
// The command `lectern highlights import` has a parser of its own, `Sources/Clippings/KindleClippings.swift`.

/** What a note is called in the languages of the Kindle. */
const NOTE = /(?:^|\P{L})(?:note|notiz|nota|notitie|заметка)(?!\p{L})|メモ|笔记|筆記/iu;
/** Some languages have an en dash in ranges and before the kind. */
const RANGE = /(\d+)(?:[-–](\d+))?/g;

/** A note and its highlight follow each other closely, so a search among all notes of a book is not needed. */
const REACH = 1000;

/** @typedef {import('./clippings.js').ClippedBook} ClippedBook */

/**
 * Reads the file.
 * @param {string} text
 * @returns {ClippedBook[]}
 */
export function readClippingsOfKindle(text) {
  /** @type {Map<string, {clips: Map<string, object>, notes: object[]}>} title → clips by place, and notes without one */
  const books = new Map();
  for (const entry of text.split(/^={8,}\s*$/m)) {
    const [title, kind, ...lines] = entry.trim().split(/\r?\n/);
    const words = lines.join('\n').trim();
    if (!/^\s*[-–]/.test(kind ?? '') || !words) continue;
    const heading = title.replace(/^\uFEFF/, '').trim();
    if (!books.has(heading)) books.set(heading, { clips: new Map(), notes: [] });
    add(books.get(heading), kind, words);
  }
  return [...books].map(([heading, { clips }]) => {
    const title = titleOf(heading);
    return { title, ...(heading === title ? {} : { heading }), clips: [...clips.values()] };
  });
}

// A Kindle never changes an entry: a longer highlight, or another text of a note, is a new one at the same place. A note
// may stand before its highlight.
function add({ clips, notes }, kind, words) {
  const { start, end } = placeOf(kind);
  if (NOTE.test(partsOf(kind).join(' '))) {
    const marked = [...clips.values()].findLast((clip) => clip.start <= end && clip.end >= end);
    if (marked) marked.note = words;
    else notes.push({ words, end });
    return;
  }
  const known = clips.get(start);
  const isSame = known && (words.includes(known.quote) || known.quote.includes(words));
  const key = known && !isSame ? `${start} ${words}` : start;
  const note = clips.get(key)?.note || takeNote(notes, start, end);
  clips.set(key, { quote: words, note, start, end });
}

// Returns the last of some notes whose place is in a highlight, and removes it from them; '' if there is none.
function takeNote(notes, start, end) {
  const index = notes.slice(-REACH).findLastIndex((note) => start <= note.end && note.end <= end);
  return index < 0 ? '' : notes.splice(Math.max(0, notes.length - REACH) + index, 1)[0].words;
}

// What an entry is and where, without the date: "- Your Highlight on page 5", "Location 100-101".
function partsOf(kind) {
  const parts = kind.split('|');
  return parts.length > 1 ? parts.slice(0, -1) : parts;
}

// The last place that an entry names: the location, or else the page. Chinese has both in one part:
// "- 您在第 5 页（位置 #100-101）的标注 | 添加于 2024年1月1日". Old Kindles shorten the end: "Loc. 1100-05".
function placeOf(kind) {
  // Without separators the date follows in the same part.
  const last = kind.includes('|') ? -1 : 0;
  const [, start = '0', end = start] = [...partsOf(kind).at(-1).matchAll(RANGE)].at(last) ?? [];
  return { start: Number(start), end: Number(start.slice(0, Math.max(0, start.length - end.length)) + end) };
}

// "The title (The author)". A title may have parentheses of its own.
function titleOf(line) {
  return line.replace(/\s*\([^()]*\)$/, '').trim();
}
