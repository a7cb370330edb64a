// `My Clippings.txt` of a Kindle: entries of four parts, the title, what it is and where, an empty line, and the text.

/** What a note is called in the languages of the Kindle. */
const NOTE = /(?:^|\P{L})(?:note|notiz|nota|notitie|заметка)(?!\p{L})|メモ|笔记|筆記/iu;
const RANGE = /(\d+)(?:-(\d+))?/;

/** @typedef {import('./clippings.js').ClippedBook} ClippedBook */

/**
 * Reads the file.
 * @param {string} text
 * @returns {ClippedBook[]}
 */
export function readClippingsOfKindle(text) {
  /** @type {Map<string, Map<string, object>>} title → place → clip */
  const books = new Map();
  for (const entry of text.split(/^={8,}\s*$/m)) {
    const [title, kind, ...lines] = entry.trim().split(/\r?\n/);
    const words = lines.join('\n').trim();
    if (!kind?.trim().startsWith('-') || !words) continue;
    const name = titleOf(title);
    if (!books.has(name)) books.set(name, new Map());
    add(books.get(name), kind, words);
  }
  return [...books].map(([title, clips]) => ({ title, clips: [...clips.values()] }));
}

// A Kindle never changes an entry: a longer highlight, or another text of a note, is a new one at the same place.
function add(clips, kind, words) {
  const { start, end } = placeOf(kind);
  if (NOTE.test(kind.split('|')[0])) {
    const marked = [...clips.values()].findLast((clip) => clip.start <= end && clip.end >= end);
    if (marked) marked.note = words;
    return;
  }
  const known = clips.get(start);
  const isSame = known && (words.includes(known.quote) || known.quote.includes(words));
  const key = known && !isSame ? `${start} ${words}` : start;
  clips.set(key, { quote: words, note: isSame ? known.note : '', start, end });
}

// "- Your Highlight on page 5 | Location 100-101 | Added on Monday, 1 January 2024 10:00:00"
function placeOf(kind) {
  const parts = kind.split('|');
  const place = parts.length > 1 ? parts.at(-2) : kind;
  const [, start = '0', end = start] = RANGE.exec(place) ?? [];
  return { start: Number(start), end: Number(end) };
}

// "The title (The author)". A title may have parentheses of its own.
function titleOf(line) {
  return line.replace(/^\uFEFF/, '').trim().replace(/\s*\([^()]*\)$/, '').trim();
}
