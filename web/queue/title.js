// The head of a row about a link: its name, which leads to it in the reader.
import { make } from '/make.js';
import { titleOf } from '/naming.js';

export function titled() {
  const anchor = make('a'), element = make('p', { className: 'head', dir: 'auto' }, anchor);
  function paint({ link }) {
    const title = titleOf(link);
    if (anchor.textContent !== title) anchor.textContent = title;
    if (link.id) anchor.href = `/#/link/${link.id}`; else anchor.removeAttribute('href');
  }
  return { element, paint };
}

/** A title within other words, where an address of 64 kB would be too much. */
export function short(link) {
  const title = titleOf(link);
  return title.length > 80 ? title.slice(0, 80) + '…' : title;
}
