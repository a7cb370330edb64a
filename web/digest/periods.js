// The times that a digest may be about, in days of the user's calendar.

/**
 * Returns the first and the last day of a period.
 * @param {'last-month' | 'this-month' | 'last-week'} period
 * @param {Date} today
 * @returns {{first: string, last: string}} such as 2026-01-31
 */
export function daysOf(period, today) {
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  if (period === 'last-week') return { first: text(year, month, day - 6), last: text(year, month, day) };
  if (period === 'this-month') return { first: text(year, month, 1), last: text(year, month, day) };
  return { first: text(year, month - 1, 1), last: text(year, month, 0) };
}

/**
 * Returns the day after another one.
 * @param {string} day such as 2026-01-31
 */
export function dayAfter(day) {
  const [year, month, number] = day.split('-').map(Number);
  return text(year, month - 1, number + 1);
}

// In UTC, where every day has 24 hours. Numbers beyond a month count on into the next or back into the one before.
function text(year, month, day) {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}
