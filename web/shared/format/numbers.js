// Numbers, sizes and durations for display, in the language of the page.

import { locale, t } from '../locale/translate.js';

const DURATION_UNITS = [['day', 86_400], ['hour', 3600], ['minute', 60]];
const SIZE_UNITS = [['gigabyte', 1e9], ['megabyte', 1e6], ['kilobyte', 1e3]];

/**
 * Formats a number with thousands separators: "1,200".
 * @param {number} value
 * @returns {string}
 */
export function formatNumber(value) {
  return value.toLocaleString(locale);
}

/**
 * Formats a number with one digit after the point: "1.0".
 * @param {number} value
 * @returns {string}
 */
export function formatTenths(value) {
  return value.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/**
 * Formats an estimated duration in its largest unit: "3 minutes", "less than a minute".
 * @param {number} seconds
 * @returns {string}
 */
export function formatEstimate(seconds) {
  const [unit, length] = DURATION_UNITS.find(([, unitSeconds]) => seconds >= unitSeconds) ?? [];
  if (!unit) return t('less than a minute');
  return Math.round(seconds / length).toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'long' });
}

/**
 * Formats a measured duration: tenths of a second below 10 s and no less than 0.1 s, whole seconds below a
 * minute.
 * @param {number} milliseconds
 * @returns {string}
 */
export function formatElapsed(milliseconds) {
  if (milliseconds >= 60_000) return formatEstimate(milliseconds / 1000);
  const seconds = Math.max(milliseconds, 100) / 1000;
  const digits = milliseconds < 10_000 ? 1 : 0;
  return t('{seconds} s', { seconds: seconds.toLocaleString(locale, { maximumFractionDigits: digits }) });
}

/**
 * Formats a file size in decimal units: "2.5 MB".
 * @param {number} bytes
 * @returns {string}
 */
export function formatSize(bytes) {
  const [unit, length] = SIZE_UNITS.find(([, unitBytes]) => bytes >= unitBytes) ?? ['byte', 1];
  return (bytes / length).toLocaleString(locale, {
    style: 'unit', unit, unitDisplay: length > 1 ? 'short' : 'long', maximumFractionDigits: length > 1e3 ? 1 : 0,
  });
}
