// The texts that modules and pages use, found in their source.

/** As in web/shared/locale/page.js. */
const ATTRIBUTES = ['aria-label', 'title', 'placeholder', 'alt', 'data-empty', 'data-missing'];
const UNTRANSLATED = ['script', 'style', 'link', 'noscript', 'dt', 'code'];
const VOID = ['meta', 'link', 'input', 'img', 'br'];

const LITERAL = String.raw`'(?:[^'\\\n]|\\.)*'`;
const TEXT = String.raw`${LITERAL}(?:\s*\+\s*${LITERAL})*`;
const CALL = new RegExp(String.raw`(?<![\w$]|(?<!\.\.)\.)(?:t|textParts)\(\s*(${TEXT})?`, 'g');

/**
 * Returns the first arguments of all calls of `t` and `textParts`.
 * @param {string} source of a module
 * @returns {(string | null)[]} null for an argument that is not a literal
 */
export function moduleTexts(source) {
  return [...withoutComments(source).matchAll(CALL)].map(([, text]) => text && valueOf(text));
}

/**
 * Returns the literals outside those calls.
 * @param {string} source of a module
 * @returns {string[]}
 */
export function otherLiterals(source) {
  const rest = withoutComments(source).replace(CALL, '').replace(/import\b[^;]*;|from '[^']*'/g, '');
  return [...rest.matchAll(new RegExp(`${LITERAL}|\`(?:[^\`\\\\]|\\\\.)*\``, 'g'))]
    .map(([text]) => (text.startsWith('`') ? text.slice(1, -1).replace(/\$\{[^}]*\}/g, '…') : valueOf(text)));
}

/**
 * Returns the texts of a page, with what web/shared/locale/page.js makes of them.
 * @param {string} html in which every element but the void ones is closed
 * @returns {string[]}
 */
export function pageTexts(html) {
  const texts = [];
  const open = [{ name: '', attributes: {}, isLeftOut: false, text: null }];
  const add = (text, use) => {
    const words = decoded(text).trim().replace(/\s+/g, ' ');
    if (/\p{L}/u.test(words)) texts.push(use ? `${words}#${use}` : words);
  };
  for (const [token, name, rest] of html.replace(/<!--.*?-->|<!doctype[^>]*>/gs, '')
    .matchAll(/<\/?([a-z][\w-]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>|[^<]+/gs)) {
    const parent = open.at(-1);
    if (!name) {
      if (parent.sentence) parent.sentence.push(token);
      else if (!parent.isLeftOut) add(token, parent.attributes['data-use']);
    } else if (token.startsWith('</')) {
      const closed = open.pop();
      if (closed.name !== name) throw Error(`${closed.name} is closed by ${name}`);
      if (closed.sentence) add(closed.sentence.join(''));
    } else {
      const found = [...rest.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
      const attributes = Object.fromEntries(found.map(([, key, value]) => [key, value ?? '']));
      const isLeftOut = parent.isLeftOut || UNTRANSLATED.includes(name) || attributes.translate === 'no';
      if (parent.sentence) parent.sentence.push(`{${parent.sentence.count += 1}}`);
      if (!isLeftOut) for (const key of ATTRIBUTES) if (key in attributes) add(attributes[key]);
      const sentence = 'data-sentence' in attributes ? Object.assign([], { count: 0 }) : null;
      if (!VOID.includes(name) && !token.endsWith('/>')) open.push({ name, attributes, isLeftOut, sentence });
    }
  }
  return texts;
}

function withoutComments(source) {
  return source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}

function valueOf(literals) {
  const texts = [...literals.matchAll(new RegExp(LITERAL, 'g'))].map(([text]) => text.slice(1, -1));
  return texts.join('').replace(/\\(.)/g, '$1');
}

function decoded(text) {
  return text.replace(/&(lt|gt|amp|quot);/g, (_, name) => ({ lt: '<', gt: '>', amp: '&', quot: '"' })[name]);
}
