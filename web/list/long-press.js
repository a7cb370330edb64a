// Touches that rest.

/** How long a touch rests until it counts, in milliseconds. */
const LONG_PRESS_MS = 500;

/**
 * Acts once the touch that has just begun has rested for a moment on a row. The link of the row is not opened then.
 * @param {Element} row
 * @param {() => void} act
 */
export function onLongPress(row, act) {
  const end = new AbortController();
  const timer = setTimeout(() => {
    act();
    end.abort();
    // The click that ends the long press must not open the link.
    row.addEventListener('click', (click) => click.preventDefault(), { once: true, capture: true });
  }, LONG_PRESS_MS);
  end.signal.addEventListener('abort', () => clearTimeout(timer));
  for (const type of ['pointerup', 'pointermove', 'pointercancel']) {
    document.addEventListener(type, () => end.abort(), { signal: end.signal });
  }
  row.addEventListener('contextmenu', (menu) => menu.preventDefault(), { once: true });
}
