// What the user is about to write in a query, and how it is completed.

import { quoted, TERM } from './query-text.js';

/**
 * What the user is about to write: a tag, a collection or a site.
 * @typedef {{kind: 'tags' | 'collections' | 'domains', key: string, prefix: string, start: number, end: number}}
 *   Completion `start` and `end` are those of the whole term
 */

const COMPLETED = [
  { kind: 'tags', pattern: /^(#|tag:)"?(.*)$/i },
  { kind: 'collections', pattern: /^(in:)"?(.*)$/i },
  { kind: 'domains', pattern: /^(site:)"?(.*)$/i },
];

/**
 * Returns what can be completed at the caret, or null.
 * @param {string} text
 * @param {number} caret
 * @returns {Completion | null}
 */
export function completionAt(text, caret) {
  for (const match of text.matchAll(TERM)) {
    const start = match.index;
    if (caret <= start || caret > start + match[0].length) continue;
    const sign = /^[-(]*/.exec(match[0])[0].length;
    const written = text.slice(start + sign, caret);
    for (const { kind, pattern } of COMPLETED) {
      const [, key, prefix] = pattern.exec(written) ?? [];
      if (key) return { kind, key, prefix, start: start + sign, end: start + match[0].length };
    }
  }
  return null;
}

/**
 * Completes a term with a value.
 * @param {string} text
 * @param {Completion} completion
 * @param {string} value
 * @returns {{text: string, caret: number}}
 */
export function complete(text, { key, start, end }, value) {
  const written = quoted(value);
  const term = key === '#' && written !== value ? `tag:${written}` : `${key}${written}`;
  const after = text.slice(end).trimStart();
  const before = `${text.slice(0, start)}${term} `;
  return { text: before + after, caret: before.length };
}
