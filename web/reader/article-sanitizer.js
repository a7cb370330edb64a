// Sanitises the HTML of an article. The server has sanitised it before; this is a second line of defence.

import { EXTERNAL_LINK } from '../shared/links/external-link.js';
import { detachSource } from './pictures.js';

const HTML_ATTRIBUTES = new Set([
  'href', 'src', 'srcset', 'sizes', 'alt', 'title', 'colspan', 'rowspan', 'dir', 'lang', 'width', 'height',
  'datetime', 'start', 'open', 'data-language',
]);

const REMOVED_ELEMENTS = 'source,iframe,video,audio,object,embed,script,style,link,meta,base,form,input,'
  + 'button,textarea,select,svg,template';

// MathML Core without scripts, links and embedded HTML.
const MATHML_ELEMENTS = new Set([
  'math', 'mi', 'mn', 'mo', 'ms', 'mtext', 'mrow', 'mfrac', 'msqrt', 'mroot', 'mstyle', 'mphantom', 'msub',
  'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mmultiscripts', 'mtable', 'mtr', 'mtd', 'mspace',
  'mprescripts', 'none',
]);

const MATHML_ATTRIBUTES = new Set([
  'dir', 'display', 'displaystyle', 'mathvariant', 'stretchy', 'fence', 'separator', 'symmetric', 'largeop',
  'movablelimits', 'accent', 'accentunder', 'form', 'linethickness', 'columnalign', 'columnspan',
]);

/**
 * The server prefixes every id in an article. A link to such an id is a footnote, or the way back from one.
 */
const ARTICLE_ID = /^lct-/;

/**
 * Parses and sanitises the HTML of an article. Its images are detached from their sources; see `pictures.js`.
 * @param {string} html
 * @param {string} baseURL URL of the page
 * @returns {Node[]} nodes that can be inserted into this document
 */
export function sanitizeArticle(html, baseURL) {
  // A document made by DOMParser is inert: it loads nothing and runs nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll('*')) {
    const isMathML = element.namespaceURI !== body.namespaceURI;
    if (isMathML ? !MATHML_ELEMENTS.has(element.localName) : element.closest('math')) {
      element.remove();
      continue;
    }
    removeAttributes(element, isMathML);
    if (element.matches('a[href]')) sanitizeLink(element, baseURL);
    if (element.matches('img')) {
      detachSource(element);
      Object.assign(element, { loading: 'lazy', referrerPolicy: 'no-referrer' });
    }
    if (element.matches(REMOVED_ELEMENTS)) element.remove();
  }
  return [...document.adoptNode(body).childNodes];
}

function removeAttributes(element, isMathML) {
  const allowed = isMathML ? MATHML_ATTRIBUTES : HTML_ATTRIBUTES;
  for (const { name, value } of [...element.attributes]) {
    const isArticleId = name === 'id' && ARTICLE_ID.test(value);
    if (!allowed.has(name) && !isArticleId) element.removeAttribute(name);
  }
}

function sanitizeLink(anchor, baseURL) {
  const href = anchor.getAttribute('href');
  if (ARTICLE_ID.test(href.slice(1))) return;
  Object.assign(anchor, EXTERNAL_LINK, { href: absoluteURL(href, baseURL) });
}

// Returns an http, https or mailto URL, or an empty string.
function absoluteURL(href, baseURL) {
  if (!URL.canParse(href, baseURL)) return '';
  const url = new URL(href, baseURL);
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : '';
}
