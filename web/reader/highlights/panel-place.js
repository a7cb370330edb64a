// The place of a panel beside an article: below the tools of the reader, at the end of its lines. Where there is
// no room beside the text, the panel covers a part of it.

export class PanelPlace {
  #article;
  #panel;
  #tools;

  /**
   * @param {HTMLElement} reader
   * @param {HTMLElement} panel
   */
  constructor(reader, panel) {
    this.#article = reader.querySelector('article');
    this.#panel = panel;
    this.#tools = reader.querySelector('.tools');
    addEventListener('scroll', () => this.update(), { passive: true, capture: true });
    for (const type of ['resize', 'textsettings']) addEventListener(type, () => this.update());
  }

  /** Whether the open panel covers a part of the text. */
  get coversText() {
    const [text, panel] = [this.#article, this.#panel].map((each) => each.getBoundingClientRect());
    return text.right > panel.left && text.left < panel.right;
  }

  /** To be called after the panel was opened or closed. */
  update() {
    if (!this.#panel.hidden) {
      const top = Math.max(this.#tools.getBoundingClientRect().bottom, 0);
      this.#panel.style.setProperty('--top', `${top}px`);
    }
    // The focus never goes to where it would not be seen. The title still tells what the page is about.
    const isCovered = !this.#panel.hidden && this.coversText;
    for (const part of this.#article.querySelectorAll(':scope > :not(header), header > .article-tags')) {
      part.inert = isCovered;
    }
  }
}
