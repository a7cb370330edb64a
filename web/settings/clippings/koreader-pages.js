// The exports of KOReader that are pages: Markdown and HTML.

/** @typedef {import('./clippings.js').ClippedBook} ClippedBook */

/** The heading of a passage: "### Page 5 @ 01 January 2024 10:00:00 AM". */
export const PLACE = /^### Page .* @ /m;

/** The marks of the styles, the longest first. */
const MARKS = [['**_', '_**'], ['**', '**'], ['==', '=='], ['++', '++'], ['~~', '~~'], ['<u>', '</u>'], ['*', '*']];

/** A link into the book, and when the file was made. */
const FOOTER = /^(?:\[.*\]\(<file:\/\/|_Generated at: )/;

/**
 * Reads an export as Markdown: a heading for each book, chapter and passage, and below the last one the passage and,
 * after a rule, its note.
 * @param {string} text
 * @returns {ClippedBook[]}
 */
export function readMarkdown(text) {
  const books = [];
  let passage = null;
  const end = () => {
    const clip = passage && describe(passage);
    if (clip?.quote) books.at(-1)?.clips.push(clip);
    passage = null;
  };
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    // The author follows the title, which tells it from a line of a passage.
    if (line.startsWith('# ') && lines[index + 1]?.startsWith('##### ')) {
      end();
      books.push({ title: line.slice(2).trim(), clips: [] });
    } else if (PLACE.test(line)) {
      end();
      passage = [];
    } else if (line.startsWith('## ')) {
      end();
    } else {
      passage?.push(line);
    }
  }
  end();
  return books;
}

function describe(passage) {
  const lines = passage.filter((line) => !FOOTER.test(line));
  const rule = lines.indexOf('---');
  const [quote, note] = rule < 0 ? [lines, []] : [lines.slice(0, rule), lines.slice(rule + 1)];
  return { quote: unmarked(quote.join('\n').trim()), note: note.join('\n').trim() };
}

function unmarked(text) {
  const found = MARKS.find(([start, end]) => text.startsWith(start) && text.endsWith(end)
    && text.length > start.length + end.length);
  return found ? text.slice(found[0].length, -found[1].length) : text;
}

/**
 * Reads an export as HTML: for each book a heading with its title, and for each passage an element with three more in
 * it: when and where, the passage, and the note if there is one.
 * @param {string} text
 * @returns {ClippedBook[]} nothing if it is another page
 */
export function readHTML(text) {
  const page = new DOMParser().parseFromString(text, 'text/html');
  return [...page.querySelectorAll('h2')].map((title) => {
    const book = { title: title.textContent.trim(), clips: [] };
    for (let next = title.nextElementSibling; next && next.localName !== 'h2'; next = next.nextElementSibling) {
      const parts = [...next.children];
      if (next.localName !== 'div' || ![2, 3].includes(parts.length)) continue;
      if (parts.some(({ localName }) => localName !== 'div')) continue;
      book.clips.push({ quote: textOf(parts[1]), note: parts[2] ? textOf(parts[2]) : '' });
    }
    return book;
  });
}

function textOf(element) {
  for (const line of element.querySelectorAll('br')) line.replaceWith('\n');
  return element.textContent.trim();
}
