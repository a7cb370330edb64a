// The panel "Text settings" of the reader. What it changes applies at once.

import { formatNumber, formatTenths } from '../../shared/format/numbers.js';
import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { loadFont } from './fonts.js';
import { DEFAULTS, FONTS, fontFamily } from './reading-settings.js';
import { createSettingsFields } from './settings-fields.js';
import { SettingsStore } from './settings-store.js';

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

function applySettings(settings) {
  const { theme, font_name, font_size, line_spacing, width, layout, beside, justify, hyphenate, vertical } = settings;
  const { dataset, style } = document.documentElement;
  dispatchEvent(new Event('beforetextsettings'));
  dataset.theme = theme;
  dataset.layout = layout;
  dataset.beside = beside;
  dataset.vertical = vertical;
  loadFont(font_name, () => dispatchEvent(new CustomEvent('textsettings', { detail: settings })));
  style.setProperty('--reader-font', fontFamily(font_name));
  style.setProperty('--reader-size', `${font_size / 16}rem`);
  style.setProperty('--reader-spacing', line_spacing);
  style.setProperty('--reader-width', width / 100);
  style.setProperty('--reader-paragraphs', `${settings.paragraph_spacing / 100}em`);
  // Without space between them, paragraphs are told apart by their first lines.
  style.setProperty('--reader-indent', settings.paragraph_spacing < 50 ? '1.5em' : '0');
  style.setProperty('--reader-align', justify ? 'justify' : 'start');
  style.setProperty('--reader-hyphens', hyphenate ? 'auto' : 'manual');
  dispatchEvent(new CustomEvent('textsettings', { detail: settings }));
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
