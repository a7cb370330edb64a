// The reading settings as values: defaults, limits and fonts. This module does not use the DOM.

/**
 * @typedef {object} ReadingSettings
 * @property {'auto' | 'light' | 'sepia' | 'dark'} theme
 * @property {string} font_name one of `FONTS`, or the name of a font that another app has stored
 * @property {number} font_size in sixteenths of the browser's font size, 12 to 32
 * @property {number} line_spacing as a multiple of the font size, 0.8 to 2
 * @property {number} width of the text, in percent of the default, 60 to 160
 * @property {number} paragraph_spacing between paragraphs, in percent of the font size, 0 to 200
 * @property {number} speech_rate of reading aloud, as a multiple of the voice's own, 0.5 to 2
 * @property {'scroll' | 'pages'} layout
 * @property {boolean} beside whether the list is beside the article on wide screens
 * @property {boolean} justify
 * @property {boolean} hyphenate
 * @property {boolean} vertical whether Japanese and Chinese have vertical lines
 */

/** @type {ReadingSettings} */
export const DEFAULTS = {
  theme: 'auto',
  font_name: 'Serif',
  font_size: 19,
  line_spacing: 1.7,
  width: 100,
  paragraph_spacing: 100,
  speech_rate: 1,
  layout: 'scroll',
  beside: false,
  justify: false,
  hyphenate: false,
  vertical: false,
};

/** Settings that the server stores, so that they are the same on all devices. The others suit one screen. */
const SYNCED = ['theme', 'font_name', 'font_size', 'line_spacing', 'speech_rate'];

const LIMITS = {
  font_size: [12, 32], line_spacing: [0.8, 2], width: [60, 160], paragraph_spacing: [0, 200], speech_rate: [0.5, 2],
};

/** Settings of which one of a few values applies. */
const CHOICES = { theme: ['auto', 'light', 'sepia', 'dark'], layout: ['scroll', 'pages'] };

/** Names of the fonts that the panel offers → CSS font families. */
export const FONTS = {
  System: 'var(--sans)',
  Serif: 'var(--serif)',
  Inter: 'Inter, var(--sans)',
  Vollkorn: 'Vollkorn, var(--serif)',
  OpenDyslexic: 'OpenDyslexic, var(--sans)',
};

/** Names of the fonts that the server has. */
export const SERVED_FONTS = ['Inter', 'Vollkorn', 'OpenDyslexic'];

/**
 * Returns complete, valid settings: the given values where they are valid, else the defaults.
 * @param {object | null | undefined} values
 * @returns {ReadingSettings}
 */
export function validSettings(values) {
  const settings = { ...DEFAULTS };
  for (const [name, fallback] of Object.entries(DEFAULTS)) {
    const value = values?.[name];
    if (typeof value === typeof fallback && isValid(name, value)) settings[name] = value;
  }
  return settings;
}

function isValid(name, value) {
  if (CHOICES[name]) return CHOICES[name].includes(value);
  if (name === 'font_name') return value.length > 0 && value.length <= 100;
  const [low, high] = LIMITS[name] ?? [];
  return low === undefined || (value >= low && value <= high);
}

/**
 * Returns the columns of `user_settings` for these settings.
 * @param {ReadingSettings} settings
 */
export function syncedSettings(settings) {
  return Object.fromEntries(SYNCED.map((name) => [name, settings[name]]));
}

/**
 * Returns the CSS font family for the name of a font.
 * @param {string} name
 * @returns {string}
 */
export function fontFamily(name) {
  // A name that is not offered here comes from another app; the font may be installed on this device.
  return FONTS[name] ?? `"${name.replace(/["\\\n]/g, '')}", ${FONTS.Serif}`;
}
