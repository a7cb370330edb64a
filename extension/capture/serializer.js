// Writes the page as HTML: without what covers it, with the contents of shadow trees and of frames in their places. It
// works in short slices and never changes the page. A classic script; see overlays.js.

(() => {
  // What is not content, or may hold what the user has typed.
  const DROPPED = new Set([
    'script', 'style', 'template', 'canvas', 'base', 'input', 'textarea', 'select', 'option', 'datalist', 'slot',
    'dialog-polyfill', 'object', 'embed', 'applet', 'frameset',
  ]);
  const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'link', 'meta', 'source', 'track', 'wbr']);
  const KEPT_LINKS = /\b(canonical|amphtml|icon|author|license|alternate|next|prev|shortlink)\b/i;
  const INLINE = new Set([
    'a', 'abbr', 'b', 'br', 'cite', 'code', 'em', 'i', 'mark', 'p', 's', 'small', 'strong', 'sub', 'sup', 'u',
  ]);
  const KEPT_HIDDEN = new Set([
    'head', 'link', 'meta', 'title', 'source', 'track', 'area', 'map', 'picture', 'noscript',
  ]);

  const MAX_BYTES = 10_000_000;
  const MAX_NODES = 1_000_000;
  const MAX_DEPTH = 400;
  const MAX_FRAMES = 20;
  const SLICE_MS = 25;
  const DEADLINE_MS = 40_000;
  const PIECE = 65_536;

  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (object) => get.call(object);
  };
  const childrenOf = getter(Node.prototype, 'childNodes');
  const nameOf = getter(Element.prototype, 'localName');
  const typeOf = getter(Node.prototype, 'nodeType');
  const dataOf = getter(CharacterData.prototype, 'data');
  const rootOf = getter(Document.prototype, 'documentElement');
  const bodyOf = getter(Document.prototype, 'body');
  const ownerOf = getter(Node.prototype, 'ownerDocument');
  const namespaceOf = getter(Element.prototype, 'namespaceURI');
  const textOf = getter(Node.prototype, 'textContent');
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name) ?? '';

  // Also of elements in frames, which have types of their own.
  const isHTML = (element) => namespaceOf(element) === 'http://www.w3.org/1999/xhtml';

  const NAMES_OF_SIGNS = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  const escapeText = (text) => (/[&<>]/.test(text) ? text.replace(/[&<>]/g, (sign) => NAMES_OF_SIGNS[sign]) : text);

  const nextTask = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });

  class Serializer {
    /** Texts that are written but not counted yet, and those that are. */
    #pieces = [];
    #open = '';
    #bytes = 0;
    #encoder = new TextEncoder();
    #nodes = 0;
    #frames = 0;
    #sliceStart = performance.now();
    #end = performance.now() + DEADLINE_MS;
    #pageLength = 0;
    isTruncated = false;

    /** @returns {Promise<string>} the HTML of the document */
    async serialize(document) {
      await this.#measure(bodyOf(document));
      this.#write('<!doctype html>');
      await this.#walk(rootOf(document));
      this.#flush();
      return this.#pieces.join('');
    }

    // The length of the text of the page, without scripts.
    async #measure(body) {
      if (!body) return;
      const walker = Document.prototype.createTreeWalker.call(body.ownerDocument, body, NodeFilter.SHOW_TEXT);
      for (let text; (text = walker.nextNode());) {
        const parent = text.parentNode;
        if (!['script', 'style', 'noscript'].includes(parent?.localName)) this.#pageLength += dataOf(text).length;
        if (!await this.#mayContinue()) return;
      }
    }

    /** Gives way after a slice. Returns false when there is no time and no room left. */
    async #mayContinue() {
      this.#nodes += 1;
      if (performance.now() - this.#sliceStart > SLICE_MS) {
        await nextTask();
        this.#sliceStart = performance.now();
        if (this.#sliceStart > this.#end) this.isTruncated = true;
      }
      if (this.#nodes > MAX_NODES) this.isTruncated = true;
      return !this.isTruncated;
    }

    // Each step is a node that is to be written, or the text of an end tag.
    async #walk(root) {
      const steps = [{ node: root, depth: 0 }];
      while (steps.length) {
        const step = steps.pop();
        if (typeof step === 'string') {
          this.#write(step);
          continue;
        }
        if (!await this.#mayContinue()) continue;
        const found = this.#enter(step.node, step.depth);
        if (!found) continue;
        if (found.end) steps.push(found.end);
        for (let index = found.children.length - 1; index >= 0; index--) {
          steps.push({ node: found.children[index], depth: step.depth + 1 });
        }
      }
    }

    // Writes what stands before the children of a node, and returns them.
    #enter(node, depth) {
      const type = typeOf(node);
      if (type === Node.TEXT_NODE) this.#write(escapeText(dataOf(node)));
      if (type !== Node.ELEMENT_NODE || depth > MAX_DEPTH) return null;
      const name = nameOf(node);
      if (name === 'slot') return this.#slot(node);
      if (name === 'script') return this.#data(node);
      if (name === 'noscript') return this.#noscript(node);
      if (name === 'iframe') return this.#frame(node);
      if (DROPPED.has(name) || this.#isUnwanted(node, name)) return null;
      const tag = this.#tagOf(node, name);
      this.#write(`<${tag}${globalThis.lecternAttributes.write(node, name)}>`);
      if (VOID.has(name)) return null;
      const shadow = shadowOf(node, name);
      const dialog = name === 'body' && globalThis.lecternOverlays.findReadDialog(node);
      if (dialog) return { children: [dialog], end: `</${tag}>` };
      return { children: [...childrenOf(shadow ?? node)], end: `</${tag}>` };
    }

    #isUnwanted(element, name) {
      if (name === 'link') return !KEPT_LINKS.test(attribute(element, 'rel'));
      if (name === 'meta') return /csrf|token|nonce/i.test(attribute(element, 'name'));
      if (!isHTML(element) || INLINE.has(name) || name === 'html' || name === 'body') return false;
      const style = getComputedStyle(element);
      if (globalThis.lecternOverlays.isOverlay(element, style, this.#pageLength)) return true;
      // What is hidden is seldom part of the text; an article behind a wall may be.
      const { holdsArticle, isReadable } = globalThis.lecternOverlays;
      return style.display === 'none' && !KEPT_HIDDEN.has(name) && inBody(element) && !holdsArticle(element)
        && !isReadable(element);
    }

    // Elements of a page's own make are plain boxes to the server. A dialog is written only if it is what is read.
    #tagOf(element, name) {
      if (globalThis.lecternOverlays.isDialog(element)) return 'article';
      if (!name.includes('-') || !isHTML(element)) return /^[a-z][a-z0-9-]*$/i.test(name) ? name : 'div';
      return getComputedStyle(element).display.startsWith('inline') ? 'span' : 'div';
    }

    #slot(slot) {
      const assigned = HTMLSlotElement.prototype.assignedNodes.call(slot);
      return { children: assigned.length ? assigned : [...childrenOf(slot)] };
    }

    // Descriptions of the page for search engines.
    #data(script) {
      if (!/^application\/ld\+json/i.test(attribute(script, 'type'))) return null;
      const text = textOf(script).replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--');
      this.#write(`<script type="application/ld+json">${text}</script>`);
      return null;
    }

    // With scripts enabled its contents are a text. Only pictures that a script would load are of use.
    #noscript(element) {
      const text = textOf(element);
      const isPicture = text.length < 10_000 && /<img\s/i.test(text) && !/<\/?noscript/i.test(text);
      if (isPicture) this.#write(`<noscript>${text}</noscript>`);
      return null;
    }

    #frame(frame) {
      const inner = getter(HTMLIFrameElement.prototype, 'contentDocument')(frame);
      const body = inner && bodyOf(inner);
      if (body && this.#frames < MAX_FRAMES && !this.#isUnwanted(frame, 'iframe')) {
        this.#frames += 1;
        this.#write('<div>');
        return { children: [...childrenOf(body)], end: '</div>' };
      }
      if (!inner && !this.#isUnwanted(frame, 'iframe')) this.#write(globalThis.lecternAttributes.writeFrame(frame));
      return null;
    }

    #write(text) {
      this.#open += text;
      if (this.#open.length >= PIECE) this.#flush();
    }

    #flush() {
      this.#bytes += this.#encoder.encode(this.#open).length;
      if (this.#bytes > MAX_BYTES) this.isTruncated = true;
      this.#pieces.push(this.#open);
      this.#open = '';
    }
  }

  function shadowOf(element, name) {
    if (!isHTML(element) || INLINE.has(name)) return null;
    try {
      return globalThis.chrome?.dom?.openOrClosedShadowRoot(element) ?? element.openOrClosedShadowRoot ?? null;
    } catch {
      return null;
    }
  }

  function inBody(element) {
    const body = bodyOf(ownerOf(element));
    return body !== element && Node.prototype.contains.call(body, element);
  }

  globalThis.LecternSerializer = Serializer;
})();
