// Translates the texts that stand in the HTML of a page, once, before a module changes them. It does not import
// translate.js, which waits for it.

/** Content that is never shown, or only without scripts, and text that users type as it is. */
const UNTRANSLATED = 'script, style, link, noscript, dt, code, [translate=no]';

const ATTRIBUTES = ['aria-label', 'title', 'placeholder', 'alt', 'data-empty', 'data-missing'];

/**
 * Translates the texts and the attributes with text below a node, also in templates, but not in elements with
 * `translate="no"`. An element with `data-sentence` is one text, in which `{1}` stands for its first element;
 * `data-use` tells apart texts that are not translated alike.
 * @param {Document | DocumentFragment} root
 * @param {typeof import('./translate.js').textParts} textParts
 */
export function translatePage(root, textParts) {
  for (const element of root.querySelectorAll('*')) {
    if (element.localName === 'template') translatePage(element.content, textParts);
    else if (!element.closest(UNTRANSLATED)) translateElement(element, textParts);
  }
}

function translateElement(element, textParts) {
  for (const name of ATTRIBUTES) {
    if (element.hasAttribute(name)) element.setAttribute(name, textParts(words(element.getAttribute(name))).join(''));
  }
  if ('sentence' in element.dataset) {
    element.replaceChildren(...translatedSentence(element, textParts));
    return;
  }
  for (const node of element.childNodes) {
    const isText = node.nodeType === Node.TEXT_NODE && /\p{L}/u.test(node.data);
    if (isText) translateNode(node, element.dataset.use, textParts);
  }
}

function translatedSentence({ children, childNodes }, textParts) {
  const elements = Object.fromEntries([...children].map((child, index) => [index + 1, child]));
  const text = [...childNodes].map((node) =>
    (node.nodeType === Node.TEXT_NODE ? node.data : `{${[...children].indexOf(node) + 1}}`)).join('');
  return textParts(words(text), elements);
}

// The white space around a text stays.
function translateNode(node, use, textParts) {
  const text = words(node.data);
  const [before, after] = [node.data.match(/^\s*/)[0], node.data.match(/\s*$/)[0]];
  node.data = before + textParts(use ? `${text}#${use}` : text).join('') + after;
}

function words(text) {
  return text.trim().replace(/\s+/g, ' ');
}
