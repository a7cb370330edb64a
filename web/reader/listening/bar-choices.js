// The choices of speed and sleep timer in the bar with the controls.

import { formatTenths } from '../../shared/format/numbers.js';
import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';

/** Choices of the speed, in tenths. */
const SPEEDS = Array.from({ length: 16 }, (_, index) => index + 5);

/** Choices of the sleep timer. */
const MINUTES = [10, 20, 30, 45, 60];

/** @param {{speed: HTMLSelectElement, sleep: HTMLSelectElement}} fields */
export function offerChoices({ speed, sleep }) {
  speed.append(...SPEEDS.map((tenths) => createElement('option', { value: tenths }, `${formatTenths(tenths / 10)}×`)));
  sleep.append(...MINUTES.map((minutes) => (
    createElement('option', { value: minutes }, t('{minutes} min', { minutes })))));
}
