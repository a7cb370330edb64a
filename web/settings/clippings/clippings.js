// Files with highlights of e-readers.

import { t } from '../../shared/locale/translate.js';
import { readClippingsOfKindle } from './kindle.js';
import { PLACE, readHTML, readMarkdown } from './koreader-pages.js';
import { readExport, readSidecar } from './koreader.js';

/** @typedef {{quote: string, note: string, color?: string}} Clip */
/**
 * `heading` is the title with what the file has behind it, such as the author, which may be a part of the title.
 * `id` is that of the link, or of the book.
 * @typedef {{title: string, heading?: string, id?: string, clips: Clip[]}} ClippedBook
 */

/** Bytes of the largest file, and highlights of the largest number. */
export const MAX_BYTES = 20_000_000;
const MAX_CLIPS = 20_000;

/**
 * Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark, as editors of Windows write it.
 * @param {ArrayBuffer} file
 * @returns {string}
 */
export function decodeClippings(file) {
  const [first, second] = new Uint8Array(file, 0, Math.min(2, file.byteLength));
  const encoding = { [0xFFFE]: 'utf-16le', [0xFEFF]: 'utf-16be' }[first * 256 + second];
  return new TextDecoder(encoding).decode(file);
}

/**
 * Reads a file.
 * @param {string} text
 * @returns {ClippedBook[]} books with highlights
 * @throws {Error} with a message for the user
 */
export function readClippings(text) {
  const books = read(text.replace(/^\uFEFF/, '').trimStart())
    .map((book) => ({ ...book, clips: book.clips.filter(({ quote }) => quote.trim()) }))
    .filter(({ clips }) => clips.length);
  const count = books.reduce((sum, { clips }) => sum + clips.length, 0);
  if (count > MAX_CLIPS) throw Error(t('The file has more than {n} highlights. Split it first.', { n: MAX_CLIPS }));
  return books;
}

function read(text) {
  try {
    if (text.startsWith('{')) return readExport(text);
    if (/^(?:--[^\n]*\n\s*)*return\b/.test(text)) return readSidecar(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw Error(t('The file is damaged.'));
    throw error;
  }
  if (/^<(?:!doctype html|html)/i.test(text)) {
    const books = readHTML(text);
    if (books.length) return books;
  }
  if (/^={8,}\s*$/m.test(text)) return readClippingsOfKindle(text);
  if (PLACE.test(text)) return readMarkdown(text);
  throw Error(t('Lectern does not recognise this as a file with highlights.'));
}
