// The colours of highlights.

import { createElement } from '../../shared/ui/elements.js';

/** The values of the column `color`, and their names. */
export const COLORS = {
  yellow: 'Yellow', green: 'Green', blue: 'Blue', pink: 'Pink', purple: 'Purple', orange: 'Orange',
};

/**
 * Creates a button for each colour.
 * @param {(color: string) => void} onChoose
 * @returns {HTMLButtonElement[]}
 */
export function createColorButtons(onChoose) {
  return Object.entries(COLORS).map(([color, name]) => {
    const button = createElement('button', { type: 'button', className: 'color', ariaLabel: name, title: name });
    button.dataset.color = color;
    button.onclick = () => onChoose(color);
    return button;
  });
}
