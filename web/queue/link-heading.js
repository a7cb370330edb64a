// The heading of a row about a link.

import { linkTitle } from '../shared/links/link-text.js';
import { createElement } from '../shared/ui/elements.js';

/**
 * Creates a heading with the title of a link, which opens the link in the reader.
 * @returns {{element: HTMLParagraphElement, render: (item: {link: object}) => void}}
 */
export function createLinkHeading() {
  const anchor = createElement('a');
  const element = createElement('p', { className: 'head', dir: 'auto' }, anchor);
  function render({ link }) {
    const title = linkTitle(link);
    if (anchor.textContent !== title) anchor.textContent = title;
    if (link.id) anchor.href = `/#/link/${link.id}`;
    else anchor.removeAttribute('href');
  }
  return { element, render };
}
