// Writes the attributes of an element: addresses absolute, and nothing of scripts, styles and forms. A classic script;
// see overlays.js.

(() => {
  // An article that a wall hides is to be seen, so nothing says that it is hidden.
  const DROPPED = new RegExp([
    '^on', '^(nonce|integrity|value|slot|is|srcdoc|style|hidden|inert|open|aria-hidden|aria-modal)$', '[\\s"\'<>/=]',
  ].join('|'), 'i');
  const URLS = new Set(['href', 'src', 'poster', 'cite', 'longdesc']);
  // Long values of other attributes are states of scripts.
  const LONG_ALLOWED = new Set([
    'href', 'src', 'srcset', 'alt', 'title', 'content', 'cite', 'poster', 'datetime', 'alttext',
  ]);
  const MAX_VALUE = 500;
  const MAX_URL = 8_000;

  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (object) => get.call(object);
  };
  const attributesOf = getter(Element.prototype, 'attributes');
  const baseOf = getter(Node.prototype, 'baseURI');

  const NAMES_OF_SIGNS = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };
  const escape = (text) => (/[&"<]/.test(text) ? text.replace(/[&"<]/g, (sign) => NAMES_OF_SIGNS[sign]) : text);

  /**
   * Returns the attributes of an element as they stand in its tag.
   * @param {Element} element
   * @param {string} name of the element
   * @returns {string} empty, or beginning with a space
   */
  function write(element, name) {
    let written = '';
    const base = baseOf(element);
    const source = name === 'img' && globalThis.lecternImages.sourceOf(element, base);
    if (source) written += ` src="${escape(source)}"`;
    for (const { name: key, value } of attributesOf(element)) {
      if (DROPPED.test(key) || (key === 'role' && /dialog/i.test(value))) continue;
      if (key === 'src' && source) continue;
      if (value.length > MAX_VALUE && !LONG_ALLOWED.has(key)) continue;
      const text = URLS.has(key) ? absolute(value, base) : key === 'srcset' ? absoluteSet(value, base) : value;
      if (text !== null) written += ` ${key}="${escape(text)}"`;
    }
    return written;
  }

  /**
   * Returns the tag of a frame whose contents the extension cannot see.
   * @param {HTMLIFrameElement} frame
   * @returns {string} empty if it has no address
   */
  function writeFrame(frame) {
    const attribute = (name) => Element.prototype.getAttribute.call(frame, name) ?? '';
    const src = absolute(attribute('src'), baseOf(frame));
    const title = attribute('title').slice(0, MAX_VALUE);
    return src ? `<iframe src="${escape(src)}" title="${escape(title)}"></iframe>` : '';
  }

  function absolute(value, base) {
    if (/^\s*(javascript|data|blob):/i.test(value) || value.length > MAX_URL) return null;
    // Footnotes point into their own page.
    if (value.startsWith('#') || !URL.canParse(value, base)) return value;
    return new URL(value, base).href;
  }

  function absoluteSet(set, base) {
    if (set.length > MAX_URL || /data:/i.test(set)) return null;
    return set.replace(/(^|,\s*)([^\s,]+)/g, (all, before, url) => (
      URL.canParse(url, base) ? before + new URL(url, base).href : all));
  }

  globalThis.lecternAttributes = { write, writeFrame };
})();
