// The settings of lists: what swipes do, and whether To Read has a shelf.

import { changeListOptions, readListOptions } from '../list/list-options.js';

/** @param {HTMLElement} section its fields are named like the options */
export function setUpLists(section) {
  const options = readListOptions();
  const { shelf, right, left } = section.querySelector('form').elements;
  // The page has the actions once.
  left.append(...[...right.options].map((option) => option.cloneNode(true)));
  shelf.checked = options.shelf;
  shelf.onchange = () => changeListOptions({ shelf: shelf.checked });
  for (const choice of [right, left]) {
    choice.value = options[choice.name];
    choice.onchange = () => changeListOptions({ [choice.name]: choice.value });
  }
}
