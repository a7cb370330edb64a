// Building DOM elements. Strings become text nodes, never markup.

import { formatExactTime, formatRelativeTime } from '../format/dates.js';
import { LINE_START } from '../locale/translate.js';

/**
 * Creates an element.
 * @param {string} tag
 * @param {object} [properties] DOM properties to set
 * @param {...(Node | string | number | null | undefined | false)} children falsy ones except 0 are left out
 * @returns {HTMLElement}
 */
export function createElement(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child || child === 0));
  return element;
}

/**
 * Creates a paragraph of facts, separated by middle dots.
 * @param {...(Node | string | null | undefined | false)} facts falsy ones are left out
 * @returns {HTMLParagraphElement}
 */
export function createFactsLine(...facts) {
  const separated = facts.filter(Boolean).flatMap((fact) => [' · ', fact]).slice(1);
  return createElement('p', { className: 'facts', dir: 'auto' }, LINE_START, ...separated);
}

/**
 * Creates a `time` element with the exact time as its tooltip.
 * @param {string} iso timestamp
 * @param {string} [text] the relative time unless given
 * @returns {HTMLTimeElement}
 */
export function createTime(iso, text = formatRelativeTime(iso)) {
  return createElement('time', { dateTime: iso, title: formatExactTime(iso), textContent: text });
}

/**
 * Replaces an element unless the new one is equal, so that a selection or the focus inside it survives.
 * @param {Element} current
 * @param {Element} replacement
 * @returns {Element} the element that is now in the document
 */
export function replaceIfChanged(current, replacement) {
  if (current.isEqualNode(replacement)) return current;
  current.replaceWith(replacement);
  return replacement;
}
