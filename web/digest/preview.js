// The preview of a digest. Its HTML comes from the server, where texts of pages are escaped; only the elements that a
// digest is made of are shown.

import { setExternalURL } from '../shared/links/external-link.js';
import { createElement } from '../shared/ui/elements.js';

/** Elements of a digest → elements of this page, which has headings of its own above them. */
const ELEMENTS = { H1: 'h3', H2: 'h4', H3: 'h5', P: 'p', A: 'a', BLOCKQUOTE: 'blockquote', BR: 'br' };

/**
 * @param {string} html
 * @returns {Node[]}
 */
export function previewNodes(html) {
  // The policy of this page allows no styles in attributes. Texts of a digest have no quotes that are not escaped.
  const plain = html.replace(/ style="[^"]*"/g, '');
  // A document made by DOMParser is inert: it loads nothing and runs nothing.
  const { body } = new DOMParser().parseFromString(plain, 'text/html');
  return copies(body.querySelector('td') ?? body);
}

function copies(parent) {
  return [...parent.childNodes].flatMap((node) => {
    if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.data)];
    const name = ELEMENTS[node.nodeName];
    if (!name) return [];
    const copy = createElement(name, { dir: 'auto' }, ...copies(node));
    return [name === 'a' ? setExternalURL(copy, node.getAttribute('href') ?? '') : copy];
  });
}
