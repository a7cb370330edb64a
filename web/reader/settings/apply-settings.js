// Applies the reading settings to the page: its theme, layout, font and spacing.

import { loadFont } from './fonts.js';
import { fontFamily } from './settings-values.js';

/** @param {import('./settings-values.js').ReadingSettings} settings */
export function applySettings(settings) {
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
