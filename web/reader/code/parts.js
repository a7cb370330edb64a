// The parts of code in the markup of highlight.js. A classic script of the worker. The markup is read as text and
// never becomes part of a page.

/** Classes of highlight.js → kinds of parts, each with a colour of its own. Other classes look like what is around. */
const KINDS = {
  comment: 'comment', quote: 'comment',
  keyword: 'keyword', literal: 'keyword', 'selector-tag': 'keyword', doctag: 'keyword', section: 'keyword',
  string: 'string', regexp: 'string', symbol: 'string', bullet: 'string', link: 'string', addition: 'string',
  number: 'number', meta: 'number', 'meta-keyword': 'number',
  title: 'title', name: 'title', built_in: 'title', type: 'title', class: null, function: null, params: null,
  attr: 'name', attribute: 'name', variable: 'name', 'template-variable': 'name', 'selector-class': 'name',
  'selector-id': 'name', 'selector-attr': 'name', 'selector-pseudo': 'name', deletion: 'deletion',
};

/** More parts than this are left without colour. */
const MAX_PARTS = 5000;

const MARKUP = /<span class="(?:hljs-)?([^"]*)">|(<\/span>)|&(?:amp|lt|gt|quot|#x27);|[^<&]+/g;

/** @typedef {{kind: string, start: number, end: number}} Part offsets in UTF-16 units; `end` is exclusive */

/**
 * Returns the parts of code that have a colour.
 * @param {string} markup of highlight.js
 * @param {number} length of the code
 * @returns {Part[]} none if the markup is not of code of this length
 */
function partsOfMarkup(markup, length) {
  const parts = [];
  const kinds = [null];
  let offset = 0;
  for (const [text, name, end] of markup.matchAll(MARKUP)) {
    if (name !== undefined) kinds.push(Object.hasOwn(KINDS, name) ? KINDS[name] : kinds.at(-1));
    else if (end) kinds.pop();
    else {
      const start = offset;
      offset += text[0] === '&' ? 1 : text.length;
      addPart(parts, { kind: kinds.at(-1), start, end: offset });
    }
  }
  return offset === length ? parts.slice(0, MAX_PARTS) : [];
}

function addPart(parts, part) {
  const last = parts.at(-1);
  if (!part.kind) return;
  if (last?.kind === part.kind && last.end === part.start) last.end = part.end;
  else parts.push(part);
}
