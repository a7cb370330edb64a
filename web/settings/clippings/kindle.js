// `My Clippings.txt` of a Kindle: entries of four parts, the title, what it is and where, an empty line, and the text.

/** What a note is called in the languages of the Kindle. */
const NOTE = /(?:^|\P{L})(?:note|notiz|nota|notitie|заметка)(?!\p{L})|メモ|笔记|筆記/iu;
/** Some languages have an en dash in ranges and before the kind. */
const RANGE = /(\d+)(?:[-–](\d+))?/g;

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
    if (!/^\s*[-–]/.test(kind ?? '') || !words) continue;
    const heading = title.replace(/^\uFEFF/, '').trim();
    if (!books.has(heading)) books.set(heading, new Map());
    add(books.get(heading), kind, words);
  }
  return [...books].map(([heading, clips]) => {
    const title = titleOf(heading);
    return { title, ...(heading === title ? {} : { heading }), clips: [...clips.values()] };
  });
}

// A Kindle never changes an entry: a longer highlight, or another text of a note, is a new one at the same place.
function add(clips, kind, words) {
  const { start, end } = placeOf(kind);
  if (NOTE.test(partsOf(kind).join(' '))) {
    const marked = [...clips.values()].findLast((clip) => clip.start <= end && clip.end >= end);
    if (marked) marked.note = words;
    return;
  }
  const known = clips.get(start);
  const isSame = known && (words.includes(known.quote) || known.quote.includes(words));
  const key = known && !isSame ? `${start} ${words}` : start;
  clips.set(key, { quote: words, note: isSame ? known.note : '', start, end });
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
