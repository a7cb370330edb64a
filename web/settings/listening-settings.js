// What happens at the end of an article that is read aloud.

import { changeOptions, readOptions } from '../reader/listening/listening-options.js';

/** @param {HTMLElement} root its boxes are named like the options */
export function setUpListening(root) {
  const options = readOptions();
  for (const box of root.querySelectorAll('input')) {
    box.checked = options[box.name];
    box.onchange = () => changeOptions({ [box.name]: box.checked });
  }
}
