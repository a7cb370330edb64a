// The panel "Text settings" of the reader. What it changes applies at once.

import { formatNumber, formatTenths } from '../../shared/format/numbers.js';
import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { applySettings } from './apply-settings.js';
import { createSettingsFields } from './settings-fields.js';
import { SettingsStore } from './settings-store.js';
import { DEFAULTS, FONTS } from './settings-values.js';

/** Names of fonts that are not proper names. */
const FONT_NAMES = { System: t('System'), Serif: t('Serif') };

/** How the values of the sliders are shown. */
const VALUE_TEXTS = {
  font_size: formatNumber,
  line_spacing: formatTenths,
  width: (value) => t('{percent}%', { percent: value }),
  paragraph_spacing: (value) => t('{percent}%', { percent: value }),
  speech_rate: (value) => `${formatTenths(value)}×`,
};

/**
 * Sets up the panel.
 * @param {HTMLFormElement} form the fields are put in place of its element `.fields`
 * @returns {() => void} to be called when somebody is signed in; loads the settings the first time
 */
export function setUpTextSettings(form) {
  form.querySelector('.fields').replaceWith(...createSettingsFields());
  const store = new SettingsStore((settings) => {
    applySettings(settings);
    showSettings(form, settings);
  });
  form.oninput = ({ target }) => store.change({ [target.name]: fieldValue(target) });
  form.onreset = (event) => {
    event.preventDefault();
    store.change(DEFAULTS);
  };
  form.onsubmit = (event) => event.preventDefault();

  let isStarted = false;
  return () => {
    if (isStarted) return;
    isStarted = true;
    store.load();
    addEventListener('pagehide', () => store.saveOnLeave());
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) store.saveOnLeave();
      else store.refresh();
    });
  };
}

function fieldValue(field) {
  if (field.type === 'checkbox') return field.checked;
  return field.type === 'range' ? field.valueAsNumber : field.value;
}

function showSettings(form, settings) {
  const { elements } = form;
  offerFont(elements.font_name, settings.font_name);
  for (const [name, value] of Object.entries(settings)) {
    const field = elements[name];
    if (typeof value === 'boolean') field.checked = value;
    else field.value = value;
    if (VALUE_TEXTS[name]) showValue(field, VALUE_TEXTS[name](value));
  }
}

function showValue(slider, text) {
  slider.ariaValueText = text;
  slider.closest('.setting').querySelector('output').value = text;
}

// A name that another app has stored is offered too.
function offerFont(select, name) {
  const names = Object.keys(FONTS);
  if (!names.includes(name)) names.push(name);
  if (select.options.length === names.length && select.options[names.length - 1].value === names.at(-1)) return;
  select.replaceChildren(...names.map((each) => createElement('option', { value: each }, FONT_NAMES[each] ?? each)));
}
