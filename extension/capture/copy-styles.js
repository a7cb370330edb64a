// Writes style sheets and references to pictures and fonts for the copy of a page, in parts; see copy-writer.js. A
// classic script; see overlays.js.

(() => {
  const MAX_URL = 8_000;
  const MAX_IMPORTS = 5;
  const URLS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^\s)"']*))\s*\)/gi;
  const INLINE = /^data:(image|font|application\/(x-)?font)[/;,-]/i;

  const SIGNS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  const escape = (text) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign]);
  // Nothing ends the element early.
  const escapeStyle = (css) => css.replace(/<\//g, '<\\/');

  /** Texts, and addresses as `{url}`; `isStyle` if a style sheet is to stand there. */
  class CopyParts {
    parts = [''];
    length = 0;

    add(text) {
      this.parts[this.parts.length - 1] += text;
      this.length += text.length;
    }

    /** Writes the value of an attribute that refers to a picture. */
    reference(before, address, base, after) {
      this.add(before);
      const url = absolute(address, base);
      if (INLINE.test(address)) this.add(escape(address));
      else if (url) this.parts.push({ url }, '');
      this.add(after);
    }

    /** Writes a style sheet as an element. `text` is its content where its rules cannot be read. */
    style(sheet, base, text, media = sheet?.media?.mediaText ?? '') {
      this.add(`<style media="${escape(media)}">`);
      this.#rules(sheet, base, text, 0);
      this.add('</style>');
    }

    /** Writes the style sheet that a `link` refers to. */
    linkedStyle(sheet, address, base, media) {
      const url = absolute(address, base);
      if (!url) return;
      if (rulesOf(sheet)) {
        this.style(sheet, url, '', media);
        return;
      }
      // Of another site, which the service worker may ask.
      this.add(`<style media="${escape(media)}">`);
      this.parts.push({ url, isStyle: true }, '');
      this.add('</style>');
    }

    /** Writes the value of the attribute `style`. */
    styleAttribute(css, base) {
      this.add(' style="');
      this.#css(css, base, escape);
      this.add('"');
    }

    #rules(sheet, base, text, depth) {
      const rules = rulesOf(sheet);
      if (!rules) this.#css(text, base, escapeStyle);
      for (const rule of rules ?? []) {
        const imported = rule.styleSheet;
        if (!imported) this.#css(`${rule.cssText}\n`, base, escapeStyle);
        else if (depth < MAX_IMPORTS) this.#rules(imported, imported.href ?? base, '', depth + 1);
      }
    }

    #css(css, base, write) {
      const quote = write('"');
      let end = 0;
      for (const found of css.matchAll(URLS)) {
        this.add(write(css.slice(end, found.index)));
        end = found.index + found[0].length;
        const address = found[1] ?? found[2] ?? found[3] ?? '';
        if (address.startsWith('#')) this.add(write(found[0]));
        else this.reference(`url(${quote}`, address, base, `${quote})`);
      }
      this.add(write(css.slice(end)));
    }
  }

  function absolute(address, base) {
    if (!address || address.length > MAX_URL || !URL.canParse(address, base)) return null;
    const url = new URL(address, base);
    url.hash = '';
    return /^https?:$/.test(url.protocol) ? url.href : null;
  }

  // The sheets of other sites cannot be read.
  function rulesOf(sheet) {
    try {
      return sheet?.cssRules ?? null;
    } catch {
      return null;
    }
  }

  globalThis.lecternCopy = { CopyParts, escape };
})();
