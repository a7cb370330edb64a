// Colours the parts of code. The colours are highlights of CSS, so the nodes of the article stay as they are.

import { loadStyles } from '../../shared/ui/styles.js';
import { ArticleText } from '../article-text.js';

/** Bounds, in UTF-16 units, parts and blocks: what is beyond is shown without colours. */
const MAX_BLOCK = 50_000;
const MAX_TEXT = 200_000;
const MAX_PARTS = 20_000;
const MAX_BLOCKS = 300;

/**
 * A block that takes longer is left as it is. An old phone takes a second for long code. The first block waits for the
 * worker to be loaded.
 */
const MAX_MS = 4000;
const MAX_FIRST_MS = 20_000;

/** After so many blocks that took too long, the rest of the article is left as it is. */
const MAX_FAILURES = 3;

export class CodeColours {
  #body;
  /** @type {Worker | null} */
  #worker = null;
  /** The article that is shown. A new object each time. */
  #run = null;
  /** @type {{block: Element, parts: Part[]}[]} */
  #coloured = [];
  #frame = 0;

  /** @param {HTMLElement} body contains the article */
  constructor(body) {
    this.#body = body;
    // Highlights of the user split the nodes of the text.
    new MutationObserver(() => this.#coloured.length && this.#paintSoon()).observe(body, {
      childList: true, subtree: true,
    });
  }

  /**
   * Colours blocks of code, one after the other.
   * @param {HTMLPreElement[]} blocks of the article that is shown
   */
  async show(blocks) {
    this.clear();
    loadStyles('/reader/code/code.css');
    const run = {};
    this.#run = run;
    let text = 0;
    let count = 0;
    let failures = 0;
    for (const block of blocks.slice(0, MAX_BLOCKS)) {
      const code = new ArticleText(block).text;
      text += code.length;
      if (code.length > MAX_BLOCK) continue;
      if (text > MAX_TEXT || count > MAX_PARTS || failures === MAX_FAILURES) break;
      const parts = await this.#partsOf(code, block.dataset.language);
      if (this.#run !== run) return;
      if (!parts) failures += 1;
      if (!parts?.length) continue;
      count += parts.length;
      this.#coloured.push({ block, parts });
      this.#paintSoon();
    }
    this.#endWorker();
  }

  /** Removes the colours. */
  clear() {
    this.#run = null;
    this.#coloured = [];
    this.#endWorker();
    this.#paint();
  }

  // Returns null for code that takes too long, or that the worker fails at.
  #partsOf(text, language) {
    const isFirst = !this.#worker;
    this.#worker ??= new Worker(new URL('worker.js', import.meta.url));
    const worker = this.#worker;
    return new Promise((resolve) => {
      const end = (parts) => {
        clearTimeout(timer);
        if (!parts && this.#worker === worker) this.#endWorker();
        resolve(parts);
      };
      const timer = setTimeout(() => end(null), isFirst ? MAX_FIRST_MS : MAX_MS);
      worker.onmessage = ({ data }) => end(data);
      worker.onerror = (event) => {
        event.preventDefault();
        end(null);
      };
      worker.postMessage({ text, language });
    });
  }

  #endWorker() {
    this.#worker?.terminate();
    this.#worker = null;
  }

  #paintSoon() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    cancelAnimationFrame(this.#frame);
    const ranges = new Map();
    for (const { block, parts } of this.#coloured) {
      if (!this.#body.contains(block)) continue;
      const text = new ArticleText(block);
      for (const part of parts) {
        if (!ranges.has(part.kind)) ranges.set(part.kind, []);
        ranges.get(part.kind).push(rangeOfSlices(text.slices(part)));
      }
    }
    for (const kind of ['comment', 'keyword', 'string', 'number', 'title', 'name', 'deletion']) {
      const name = `code-${kind}`;
      if (!ranges.has(kind)) {
        CSS.highlights.delete(name);
        continue;
      }
      // Below the marks of a search and of reading aloud.
      CSS.highlights.set(name, Object.assign(new Highlight(...ranges.get(kind)), { priority: -1 }));
    }
  }
}

// The browser need not follow a static range when the document changes; they are made again then.
function rangeOfSlices(slices) {
  const { node: startContainer, start: startOffset } = slices[0];
  const { node: endContainer, end: endOffset } = slices.at(-1);
  return new StaticRange({ startContainer, startOffset, endContainer, endOffset });
}

/** @typedef {{kind: string, start: number, end: number}} Part see `parts.js` */
