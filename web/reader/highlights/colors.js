// The colours of highlights.

import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';

/** The values of the column `color`, and their names. */
export const COLORS = {
  yellow: t('Yellow'), green: t('Green'), blue: t('Blue'), pink: t('Pink'), purple: t('Purple'), orange: t('Orange'),
};

/**
 * Returns the name of a colour as it stands in a sentence.
 * @param {string} color
 * @returns {string}
 */
export function colorWord(color) {
  return COLORS[color]?.toLowerCase() ?? color;
}

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
