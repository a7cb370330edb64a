// Writes the page as it looks, as HTML in parts: texts, and the addresses of pictures, fonts and style sheets that are
// to stand in their places. It works in short slices and never changes the page. A classic script; see overlays.js.

(() => {
  const { CopyParts, escape } = globalThis.lecternCopy;

  const DROPPED = new Set([
    'script', 'noscript', 'template', 'base', 'object', 'embed', 'applet', 'audio', 'video', 'source', 'track',
    'frameset',
  ]);
  const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'wbr']);
  const DROPPED_ATTRIBUTES = new RegExp([
    '^on', '^(nonce|integrity|src|srcset|sizes|srcdoc|ping|action|formaction|autofocus|loading|is|background)$', ':',
    '[\\s"\'<>/=]',
  ].join('|'), 'i');
  const KEPT_META = new Set(['viewport', 'color-scheme', 'description', 'author']);
  /** What the user has typed, and what forms carry unseen, is not written. */
  const BUTTONS = new Set(['submit', 'button', 'reset']);
  /** Elements that may have a shadow tree; see the method attachShadow in the standard. */
  const HOSTS = /-|^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;

  const MAX_NODES = 300_000;
  const MAX_DEPTH = 400;
  const MAX_TEXT = 9_000_000;
  const SLICE_MS = 25;
  const DEADLINE_MS = 30_000;

  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (object) => get.call(object);
  };
  const childrenOf = getter(Node.prototype, 'childNodes');
  const nameOf = getter(Element.prototype, 'localName');
  const attributesOf = getter(Element.prototype, 'attributes');
  const typeOf = getter(Node.prototype, 'nodeType');
  const baseOf = getter(Node.prototype, 'baseURI');
  const textOf = getter(Node.prototype, 'textContent');
  const dataOf = getter(CharacterData.prototype, 'data');
  const rootOf = getter(Document.prototype, 'documentElement');
  const namespaceOf = getter(Element.prototype, 'namespaceURI');
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name) ?? '';
  const isHTML = (element) => namespaceOf(element) === 'http://www.w3.org/1999/xhtml';

  const nextTask = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });

  class CopyWriter {
    #out = new CopyParts();
    #nodes = 0;

    /**
     * @param {Document} document
     * @returns {Promise<(string | {url: string, isStyle?: boolean})[] | null>} null if the page is too large
     */
    async write(document) {
      this.#out.add('<!doctype html>');
      const end = performance.now() + DEADLINE_MS;
      let sliceStart = performance.now();
      // Each step is a node that is to be written, or a text.
      const steps = [{ node: rootOf(document), depth: 0 }];
      while (steps.length) {
        const step = steps.pop();
        if (typeof step === 'string') this.#out.add(step);
        else for (const next of this.#enter(step.node, step.depth).reverse()) steps.push(next);
        this.#nodes += 1;
        if (performance.now() - sliceStart > SLICE_MS) {
          await nextTask();
          sliceStart = performance.now();
        }
        if (this.#nodes > MAX_NODES || this.#out.length > MAX_TEXT || sliceStart > end) return null;
      }
      return this.#out.parts;
    }

    // Writes what stands before the children of a node, and returns the next steps.
    #enter(node, depth) {
      const type = typeOf(node);
      if (type === Node.TEXT_NODE) this.#out.add(escape(dataOf(node)));
      if (type !== Node.ELEMENT_NODE || depth > MAX_DEPTH) return [];
      const name = nameOf(node);
      if (DROPPED.has(name) || !/^[a-z][a-z0-9-]*$/i.test(name)) return [];
      const special = this.#special(node, name);
      if (special) return special;
      this.#out.add(`<${name}`);
      this.#attributes(node, name);
      this.#out.add('>');
      if (VOID.has(name)) return [];
      if (name === 'head') this.#out.add('<meta charset="utf-8">');
      const children = name === 'textarea' ? [] : [...childrenOf(node)];
      const inside = children.map((child) => ({ node: child, depth: depth + 1 }));
      return [...this.#shadow(node, name, depth), ...inside, `</${name}>`];
    }

    // Returns no steps for what is not written as it stands, and undefined for any other element.
    #special(element, name) {
      if (name === 'style') this.#out.style(element.sheet, baseOf(element), textOf(element));
      else if (name === 'link') this.#link(element);
      else if (name === 'meta') this.#meta(element);
      else if (name === 'iframe' || name === 'canvas') this.#box(element);
      else return undefined;
      return [];
    }

    #link(link) {
      if (!/\bstylesheet\b/i.test(attribute(link, 'rel')) || !link.sheet || link.disabled) return;
      this.#out.linkedStyle(link.sheet, attribute(link, 'href'), baseOf(link), attribute(link, 'media'));
    }

    #meta(meta) {
      const name = attribute(meta, 'name').toLowerCase();
      if (KEPT_META.has(name)) this.#out.add(`<meta name="${name}" content="${escape(attribute(meta, 'content'))}">`);
    }

    // The room of frames, and of drawings that scripts make, stays empty.
    #box(element) {
      const { width, height } = Element.prototype.getBoundingClientRect.call(element);
      this.#out.add(`<div style="width: ${Math.round(width)}px; height: ${Math.round(height)}px"></div>`);
    }

    #attributes(element, name) {
      const base = baseOf(element);
      for (const { name: key, value } of attributesOf(element)) {
        if (DROPPED_ATTRIBUTES.test(key)) continue;
        if (key === 'style') this.#out.styleAttribute(value, base);
        else if (key === 'href') this.#href(element, value, base);
        else if (key === 'value' && !BUTTONS.has(attribute(element, 'type'))) continue;
        else this.#out.add(` ${key}="${escape(value)}"`);
      }
      if (name !== 'img') return;
      const own = attribute(element, 'src');
      const source = globalThis.lecternImages.sourceOf(element, base) ?? own;
      if (source) this.#out.reference(' src="', source, base, '"');
    }

    // Links to other pages stay. Drawings use only parts of the same document.
    #href(element, value, base) {
      const url = isHTML(element) && URL.canParse(value, base) ? new URL(value, base) : null;
      if (value.startsWith('#')) this.#out.add(` href="${escape(value)}"`);
      else if (url && /^(https?|mailto):$/.test(url.protocol)) this.#out.add(` href="${escape(url.href)}"`);
    }

    // Browsers turn such a template into a shadow tree, without a script.
    #shadow(element, name, depth) {
      const root = isHTML(element) && HOSTS.test(name) ? shadowOf(element) : null;
      if (!root) return [];
      this.#out.add('<template shadowrootmode="open">');
      for (const sheet of root.adoptedStyleSheets ?? []) this.#out.style(sheet, baseOf(element), '');
      return [...[...childrenOf(root)].map((child) => ({ node: child, depth: depth + 1 })), '</template>'];
    }
  }

  function shadowOf(element) {
    try {
      return globalThis.chrome?.dom?.openOrClosedShadowRoot(element) ?? element.openOrClosedShadowRoot ?? null;
    } catch {
      return null;
    }
  }

  globalThis.LecternCopyWriter = CopyWriter;
})();
