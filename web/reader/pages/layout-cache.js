// Layouts that have been computed. This module does not use the DOM.

/** How many layouts are kept, and for how long. */
const MAX_LAYOUTS = 50;
const MAX_AGE_MS = 300_000;

/**
 * Returns the key of a layout.
 * @param {{hash: string, width: number, height: number, style: string}} conditions the text, the page in pixels, and
 *   the text settings as CSS
 * @returns {string}
 */
export function layoutKey({ hash, width, height, style }) {
  return [hash, `${Math.round(width)}x${Math.round(height)}`, style].join('|');
}

export class LayoutCache {
  #now;
  /** In the order of their use, the last one last. */
  #layouts = new Map();

  /** @param {() => number} [now] the time in milliseconds */
  constructor(now = Date.now) {
    this.#now = now;
  }

  /** How many layouts are kept. */
  get size() {
    return this.#layouts.size;
  }

  /**
   * Returns a layout, or undefined if it is not kept or too old.
   * @param {string} key
   * @returns {import('./page-layout.js').Layout | undefined}
   */
  get(key) {
    const entry = this.#layouts.get(key);
    this.#layouts.delete(key);
    if (!entry || this.#now() - entry.storedAt >= MAX_AGE_MS) return undefined;
    this.#layouts.set(key, entry);
    return entry.layout;
  }

  /**
   * Keeps a layout; beyond the limit, the one whose last use is longest ago goes.
   * @param {string} key
   * @param {import('./page-layout.js').Layout} layout
   */
  set(key, layout) {
    this.#layouts.delete(key);
    this.#layouts.set(key, { layout, storedAt: this.#now() });
    if (this.#layouts.size > MAX_LAYOUTS) this.#layouts.delete(this.#layouts.keys().next().value);
  }
}
