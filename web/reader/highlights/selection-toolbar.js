// The toolbar that appears when text of the article is selected. It is beside the selection for a mouse, and at
// the bottom of small screens, where a phone's own menu does not cover it.

import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { createColorButtons } from './colors.js';

/** A selection that is being made changes several times within this time. */
const SETTLED_MS = 150;

/** Distance between the selection and the toolbar, in pixels. */
const GAP = 8;

export class SelectionToolbar {
  #body;
  #onHighlight;
  #onCopy;
  #toolbar;
  #timer;
  #lastColor = 'yellow';

  /**
   * @param {HTMLElement} body contains the article
   * @param {object} callbacks
   * @param {(range: Range, choice: {color: string, withNote: boolean}) => void} callbacks.onHighlight
   * @param {(text: string) => void} callbacks.onCopy called to copy the selected text as a quotation
   */
  constructor(body, { onHighlight, onCopy }) {
    this.#body = body;
    this.#onHighlight = onHighlight;
    this.#onCopy = onCopy;
    const noteButton = createElement('button', { type: 'button', title: `${t('Add note')} (n)` }, t('Add note'));
    noteButton.onclick = () => this.#highlight({ withNote: true });
    const copyButton = createElement('button', { type: 'button', title: `${t('Copy quote')} (q)` }, t('Copy quote'));
    copyButton.onclick = () => this.#copy();
    this.#toolbar = createElement('div', { id: 'selection-toolbar', role: 'toolbar', hidden: true },
      ...createColorButtons((color) => this.#highlight({ color })), noteButton, copyButton);
    this.#toolbar.ariaLabel = t('Highlight the selection');
    // Pressing a button would clear the selection.
    this.#toolbar.onpointerdown = (event) => event.preventDefault();
    body.after(this.#toolbar);
    document.addEventListener('selectionchange', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.update(), SETTLED_MS);
    });
    addEventListener('scroll', () => !this.#toolbar.hidden && this.update(), { passive: true, capture: true });
    document.addEventListener('keydown', (event) => this.#onKey(event), { capture: true });
  }

  /** Shows the toolbar for the selection, or hides it when no text of the article is selected. */
  update() {
    const range = this.#selectedRange();
    this.#toolbar.hidden = !range;
    if (range) this.#place(range.getBoundingClientRect());
  }

  // Below the selection, or above it where there is no room; always inside the window.
  #place({ left, width, top, bottom }) {
    const { offsetHeight, offsetWidth, style } = this.#toolbar;
    const space = document.documentElement.offsetWidth - offsetWidth - GAP;
    const isRoomBelow = bottom + GAP + offsetHeight < innerHeight;
    const y = isRoomBelow ? bottom + GAP : Math.min(top - GAP, innerHeight - GAP) - offsetHeight;
    style.setProperty('--x', `${Math.max(GAP, Math.min(space, left + (width - offsetWidth) / 2))}px`);
    style.setProperty('--y', `${Math.max(GAP, y)}px`);
  }

  #selectedRange() {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const isInside = this.#body.contains(range.startContainer) || this.#body.contains(range.endContainer);
    return isInside && range.toString().trim() ? range : null;
  }

  #highlight({ color = this.#lastColor, withNote = false }) {
    const range = this.#selectedRange();
    if (!range) return;
    this.#lastColor = color;
    this.#onHighlight(range, { color, withNote });
    getSelection().removeAllRanges();
    this.update();
  }

  #copy() {
    const text = getSelection().toString();
    getSelection().removeAllRanges();
    this.update();
    this.#onCopy(text);
  }

  // Handled before the page's own shortcuts: while text is selected, Escape does not leave the article.
  #onKey(event) {
    const isTyping = event.target.matches('input, textarea, select, [contenteditable]');
    if (this.#toolbar.hidden || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') getSelection().removeAllRanges();
    else if (event.key === 'h') this.#highlight({});
    else if (event.key === 'n') this.#highlight({ withNote: true });
    else if (event.key === 'q') this.#copy();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.update();
  }
}
