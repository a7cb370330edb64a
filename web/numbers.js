// Numbers, and lengths of time, as people say them.
export const number = (value) => value.toLocaleString('en');
export const many = (count, one, several = `${one}s`) => `${number(count)} ${count === 1 ? one : several}`;

const UNITS = [['day', 86_400], ['hour', 3600], ['minute', 60]];

/** How long something takes yet: nobody wants to know it to the second. */
export function lasting(seconds) {
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? [];
  return unit ? many(Math.round(seconds / length), unit) : 'less than a minute';
}

/** How long something took, a tenth of a second at least. */
export function took(milliseconds) {
  if (milliseconds >= 60_000) return lasting(milliseconds / 1000);
  return `${(Math.max(milliseconds, 100) / 1000).toLocaleString('en', { maximumFractionDigits: milliseconds < 10_000 ? 1 : 0 })} s`;
}
