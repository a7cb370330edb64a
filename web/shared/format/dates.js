// Dates and times for display, in the language of the page and the browser's time zone.

import { locale, t } from '../locale/translate.js';

// Seconds per unit; years and months have their mean length.
const UNITS = [['year', 31_557_600], ['month', 2_629_800], ['day', 86_400], ['hour', 3600], ['minute', 60]];

// Making a format takes longer than using it a hundred times.
const relativeFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const exactFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium' });

/**
 * Formats a time relative to now: "3 hours ago", "in 2 days", "just now".
 * @param {string} iso timestamp
 * @param {number} [now] milliseconds since the epoch
 * @returns {string}
 */
export function formatRelativeTime(iso, now = Date.now()) {
  const seconds = (new Date(iso) - now) / 1000;
  const [unit, length] = UNITS.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? [];
  if (unit) return relativeFormat.format(Math.round(seconds / length), unit);
  return seconds > 0 ? t('in a moment') : t('just now');
}

/**
 * Formats date and time to the second: "January 31, 2026 at 6:05:09 PM".
 * @param {string} iso timestamp
 * @returns {string}
 */
export function formatExactTime(iso) {
  return exactFormat.format(new Date(iso));
}

/**
 * Formats date and time to the minute: "Jan 31, 2026, 6:05 PM".
 * @param {string} iso timestamp
 * @returns {string}
 */
export function formatShortTime(iso) {
  return new Date(iso).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/**
 * Formats a date: "1/31/2026".
 * @param {string} iso timestamp
 * @param {'short' | 'long'} [style] long: "January 31, 2026"
 * @returns {string}
 */
export function formatDate(iso, style) {
  return new Date(iso).toLocaleDateString(locale, { dateStyle: style });
}
