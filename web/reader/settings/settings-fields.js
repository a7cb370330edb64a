// The fields of the text settings, in the panel of the reading view and on the settings page.

import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';

const THEMES = { auto: t('Auto'), light: t('Light'), sepia: t('Sepia'), dark: t('Dark') };
const LAYOUTS = { scroll: t('Scroll'), pages: t('Pages') };

/** Setting → what makes its field. */
const FIELDS = {
  theme: () => createChoices('theme', t('Theme'), THEMES),
  layout: () => createChoices('layout', t('Layout'), LAYOUTS),
  font_name: () => createSetting(t('Font'), createElement('select', { id: 'font-name', name: 'font_name' })),
  font_size: () => createSlider('font_size', 'font-size', t('Font size'), [12, 32, 1]),
  line_spacing: () => createSlider('line_spacing', 'line-spacing', t('Line spacing'), [0.8, 2, 0.1]),
  width: () => createSlider('width', 'text-width', t('Width'), [60, 160, 5]),
  paragraph_spacing: () =>
    createSlider('paragraph_spacing', 'paragraph-spacing', t('Paragraph spacing'), [0, 200, 10]),
  speech_rate: () => createSlider('speech_rate', 'speech-rate', t('Speech rate'), [0.5, 2, 0.1]),
  beside: () => createBox('beside', t('Show the list beside the article'), 'wide-only'),
  justify: () => createBox('justify', t('Justify the text')),
  hyphenate: () => createBox('hyphenate', t('Hyphenate words')),
  // Shown with articles that can have vertical lines; see `writing/set-up.js`.
  vertical: () => Object.assign(createBox('vertical', t('Vertical text')), { hidden: true }),
};

/**
 * Creates the fields, which are named like the settings.
 * @returns {HTMLElement[]}
 */
export function createSettingsFields() {
  return Object.values(FIELDS).map((create) => create());
}

function createChoices(name, title, labels) {
  const choices = Object.entries(labels).map(([value, label]) =>
    createElement('label', {}, createElement('input', { type: 'radio', name, value }), label));
  return createElement('fieldset', { role: 'radiogroup' }, createElement('legend', {}, title),
    createElement('div', { className: 'choices' }, ...choices));
}

function createSlider(name, id, title, [min, max, step]) {
  // The limits come before the value.
  const slider = createElement('input', { type: 'range', id, name, min, max, step });
  return createSetting(title, slider, createElement('output', { htmlFor: id }));
}

function createSetting(title, field, output) {
  const label = createElement('label', { htmlFor: field.id }, title);
  return createElement('div', { className: 'setting' }, label, output, field);
}

function createBox(name, title, more = '') {
  return createElement('label', { className: `check ${more}` }, createElement('input', { type: 'checkbox', name }),
    createElement('span', {}, title));
}
