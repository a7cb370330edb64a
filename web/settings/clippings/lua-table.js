// Reading tables of Lua as KOReader writes them, in `metadata.epub.lua`: text, numbers, booleans and tables, nothing else.

/** Values in a file, and tables inside each other. A file of some megabytes has fewer. */
const MAX_VALUES = 500_000;
const MAX_DEPTH = 50;

const SKIPPED = /(?:\s+|--[^\n]*)*/y;
const WORD = /[A-Za-z_]\w*/y;
const NUMBER = /-?(?:0x[\da-f]+|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)/iy;
// A backslash before a line break stands for the line break.
const TEXT = /"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'/y;
const ESCAPE = /\\(\d{1,3}|[^])/g;
const ESCAPES = { n: '\n', t: '\t', r: '\r', a: '', b: '', f: '', v: '' };

/**
 * Reads the table that a file returns.
 * @param {string} text
 * @returns {Map<string | number, any>} tables are maps
 * @throws {SyntaxError} for anything else
 */
export function parseLuaTable(text) {
  const reader = new Reader(text);
  if (reader.word() !== 'return') reader.fail();
  const table = reader.value(0);
  if (!(table instanceof Map)) reader.fail();
  return table;
}

class Reader {
  #text;
  #place = 0;
  #count = 0;

  constructor(text) {
    this.#text = text;
  }

  // Only the place: the page tells that the file is damaged.
  fail() {
    throw SyntaxError(`${this.#place}`);
  }

  word() {
    return this.#take(WORD)?.[0];
  }

  value(depth) {
    this.#count += 1;
    if (this.#count > MAX_VALUES || depth > MAX_DEPTH) this.fail();
    if (this.#takeSign('{')) return this.#table(depth);
    const text = this.#take(TEXT);
    if (text) return unescaped(text[1] ?? text[2]);
    const number = this.#take(NUMBER);
    if (number) return Number(number[0]);
    const constants = { true: true, false: false, nil: null };
    const word = this.word();
    if (!Object.hasOwn(constants, word ?? '')) this.fail();
    return constants[word];
  }

  #table(depth) {
    const table = new Map();
    let next = 1;
    while (!this.#takeSign('}')) {
      if (this.#takeSign('[')) {
        const key = this.value(depth + 1);
        if (!this.#takeSign(']') || !this.#takeSign('=')) this.fail();
        table.set(key, this.value(depth + 1));
      } else {
        const start = this.#place;
        const name = this.word();
        if (name && this.#takeSign('=')) {
          table.set(name, this.value(depth + 1));
        } else {
          this.#place = start;
          table.set(next, this.value(depth + 1));
          next += 1;
        }
      }
      if (!this.#takeSign(',') && !this.#takeSign(';')) {
        if (!this.#takeSign('}')) this.fail();
        return table;
      }
    }
    return table;
  }

  #take(pattern) {
    SKIPPED.lastIndex = this.#place;
    const place = this.#place + SKIPPED.exec(this.#text)[0].length;
    pattern.lastIndex = place;
    const found = pattern.exec(this.#text);
    if (found) this.#place = place + found[0].length;
    return found;
  }

  #takeSign(sign) {
    SKIPPED.lastIndex = this.#place;
    const place = this.#place + SKIPPED.exec(this.#text)[0].length;
    if (this.#text[place] !== sign) return false;
    this.#place = place + 1;
    return true;
  }
}

// KOReader writes UTF-8 as it is; numbers stand for single bytes, such as control characters.
function unescaped(text) {
  return text.replace(ESCAPE, (_, code) => (/^\d/.test(code) ? String.fromCharCode(code % 256) : ESCAPES[code] ?? code));
}
