// Numbers, sizes and durations for display, in English.

const DURATION_UNITS = [['day', 86_400], ['hour', 3600], ['minute', 60]];
const SIZE_UNITS = [['GB', 1e9], ['MB', 1e6], ['kB', 1e3]];

/**
 * Formats a number with thousands separators: "1,200".
 * @param {number} value
 * @returns {string}
 */
export function formatNumber(value) {
  return value.toLocaleString('en');
}

/**
 * Formats a count with its noun: "1 link", "1,200 links".
 * @param {number} count
 * @param {string} singular
 * @param {string} [plural] `singular` with an "s" unless given
 * @returns {string}
 */
export function formatCount(count, singular, plural = `${singular}s`) {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

/**
 * Formats an estimated duration in its largest unit: "3 minutes", "less than a minute".
 * @param {number} seconds
 * @returns {string}
 */
export function formatEstimate(seconds) {
  const [unit, length] = DURATION_UNITS.find(([, unitSeconds]) => seconds >= unitSeconds) ?? [];
  return unit ? formatCount(Math.round(seconds / length), unit) : 'less than a minute';
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
  return `${seconds.toLocaleString('en', { maximumFractionDigits: digits })} s`;
}

/**
 * Formats a file size in decimal units: "2.5 MB".
 * @param {number} bytes
 * @returns {string}
 */
export function formatSize(bytes) {
  const [unit, length] = SIZE_UNITS.find(([, unitBytes]) => bytes >= unitBytes) ?? ['bytes', 1];
  const digits = length > 1e3 ? 1 : 0;
  return `${(bytes / length).toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`;
}
