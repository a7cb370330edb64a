// The dialog for one highlight: its colour, its note, and deleting it.

import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { createColorButtons } from './colors.js';

/** The longest note that the server stores, in characters. */
const MAX_NOTE = 20_000;

export class HighlightEditor {
  #highlights;
  #dialog;
  #quote = createElement('blockquote', { dir: 'auto' });
  #note = createElement('textarea', { name: 'note', rows: 4, maxLength: MAX_NOTE, dir: 'auto' });
  #colors;
  #id;

  /**
   * @param {import('./article-highlights.js').ArticleHighlights} highlights
   * @param {HTMLElement} parent the dialog is appended here
   */
  constructor(highlights, parent) {
    this.#highlights = highlights;
    this.#colors = createColorButtons((color) => this.#setColor(color));
    const colorGroup = createElement('div', { role: 'group', ariaLabel: t('Colour'), className: 'colors' },
      ...this.#colors);
    const remove = createElement('button', { type: 'button', textContent: t('Delete') });
    remove.onclick = () => {
      this.#dialog.close();
      highlights.remove(this.#id);
    };
    const cancel = createElement('button', { type: 'button', textContent: t('Cancel') });
    cancel.onclick = () => this.#dialog.close();
    const form = createElement('form', { method: 'dialog' },
      createElement('h2', { id: 'highlight-editor-name', textContent: t('Highlight') }),
      this.#quote, colorGroup,
      createElement('label', {}, t('Note'), this.#note),
      createElement('div', { className: 'buttons' },
        createElement('button', { className: 'strong', textContent: t('Save') }), cancel, remove));
    form.onsubmit = () => this.#save();
    this.#dialog = createElement('dialog', { id: 'highlight-editor' }, form);
    this.#dialog.setAttribute('aria-labelledby', 'highlight-editor-name');
    // The page has shortcuts on single keys, and Escape closes this dialog alone.
    this.#dialog.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    };
    parent.append(this.#dialog);
  }

  /**
   * Opens the dialog for a highlight.
   * @param {string} id
   */
  open(id) {
    const { quote, note, color } = this.#highlights.get(id);
    this.#id = id;
    this.#quote.textContent = quote;
    this.#note.value = note ?? '';
    this.#showColor(color);
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#note.focus();
  }

  close() {
    this.#dialog.close();
  }

  #showColor(color) {
    this.#dialog.dataset.color = color;
    for (const button of this.#colors) button.ariaPressed = button.dataset.color === color;
  }

  #setColor(color) {
    this.#showColor(color);
    this.#highlights.change(this.#id, { color });
  }

  #save() {
    const note = this.#note.value.trim() || null;
    if (note !== (this.#highlights.get(this.#id)?.note ?? null)) this.#highlights.change(this.#id, { note });
  }
}
