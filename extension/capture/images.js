// Finds the picture that a lazily loaded image is going to show. A classic script; see overlays.js.

(() => {
  // Where the usual scripts for lazy loading keep the address: lazysizes, vanilla-lazyload, lozad, WordPress and
  // others.
  const SOURCES = [
    'data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-hi-res-src', 'data-full-src', 'data-url',
  ];
  const SETS = ['data-srcset', 'data-lazy-srcset', 'data-original-set'];

  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  const absolute = (url, base) => (url && URL.canParse(url, base) ? new URL(url, base).href : null);
  const isPicture = (url) => /^https?:/i.test(url ?? '');

  /**
   * Returns the address of the picture of an `img`, or null if it has none.
   * @param {HTMLImageElement} image
   * @param {string} base address
   * @returns {string | null}
   */
  function sourceOf(image, base) {
    const hasLoaded = image.complete && image.naturalWidth > 1 && image.naturalHeight > 1;
    if (hasLoaded && isPicture(image.currentSrc)) return image.currentSrc;
    for (const name of SOURCES) {
      const url = absolute(attribute(image, name), base);
      if (isPicture(url)) return url;
    }
    for (const name of SETS) {
      const url = absolute(largestOf(attribute(image, name) ?? ''), base);
      if (isPicture(url)) return url;
    }
    const largest = absolute(largestOf(attribute(image, 'srcset') ?? ''), base);
    const own = absolute(attribute(image, 'src'), base);
    return [own, largest].find(isPicture) ?? null;
  }

  /**
   * Returns the address of the widest candidate of a `srcset`.
   * @param {string} set
   * @returns {string | undefined}
   */
  function largestOf(set) {
    const candidates = [...set.slice(0, 20_000).matchAll(/([^\s,]\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)];
    candidates.sort((a, b) => Number(b[2] ?? 1) - Number(a[2] ?? 1));
    return candidates[0]?.[1];
  }

  globalThis.lecternImages = { sourceOf };
})();
