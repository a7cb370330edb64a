// Elements with their properties and what is in them; text stays text.
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child || child === 0));
  return element;
}

/** Parts of a line, with a dot between them. */
export function line(...parts) {
  const dotted = parts.filter(Boolean).flatMap((part) => [' · ', part]).slice(1);
  return make('p', { className: 'facts', dir: 'auto' }, ...dotted);
}

/** A moment as people say it, and exactly for who points at it. */
export function moment(iso, words) {
  return make('time', { dateTime: iso, title: exact(iso), textContent: words ?? ago(iso) });
}

const exact = (iso) => new Date(iso).toLocaleString('en', { dateStyle: 'long', timeStyle: 'medium' });

const STEPS = [['year', 31_557_600], ['month', 2_629_800], ['day', 86_400], ['hour', 3600], ['minute', 60]];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

export function ago(iso, now = Date.now()) {
  const seconds = (new Date(iso) - now) / 1000;
  const [unit, length] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  return unit ? relative.format(Math.round(seconds / length), unit) : seconds > 0 ? 'in a moment' : 'just now';
}
