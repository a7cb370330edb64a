// The dialog for one highlight: its colour, its note, and deleting it.

import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { showError } from '../../shared/ui/toast.js';
import { createColorButtons } from './colors.js';

/** The longest note that the server stores, in characters. */
const MAX_NOTE = 20_000;

export class HighlightEditor {
  #highlights;
  #dialog;
  #quote = createElement('blockquote', { dir: 'auto' });
  #note = createElement('textarea', { name: 'note', rows: 4, maxLength: MAX_NOTE, dir: 'auto' });
  #problem = createElement('p', { role: 'alert' });
  #colors;
  #id;
  /** Highlight id → the save of its note that was begun last. */
  #saves = new Map();

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
      createElement('label', {}, t('Note'), this.#note), this.#problem,
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
    this.#problem.textContent = '';
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
    const id = this.#id;
    const typed = this.#note.value;
    const note = typed.trim() || null;
    if (note === (this.#highlights.get(id)?.note ?? null)) return;
    const save = {};
    this.#saves.set(id, save);
    // A later note is not replaced by one that took longer to fail.
    this.#highlights.change(id, { note }, (error) => this.#openAgain(id, save, typed, error));
  }

  // Opens the dialog with a note that could not be stored.
  #openAgain(id, save, typed, error) {
    if (this.#saves.get(id) !== save) return;
    const other = document.querySelector('dialog[open]');
    if (!this.#highlights.get(id)) {
      showError(error);
    } else if (other) {
      other.addEventListener('close', () => this.#openAgain(id, save, typed, error), { once: true });
    } else {
      this.open(id);
      this.#note.value = typed;
      // The toast is behind the dialog.
      this.#problem.textContent = error.message;
    }
  }
}
