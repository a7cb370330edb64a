// The panel "Highlights": the note of the article and all its highlights, to go to, edit, delete and copy.

import { linkTitle, linkURL } from '../../shared/links/link-text.js';
import { t } from '../../shared/locale/translate.js';
import { copyText } from '../../shared/ui/clipboard.js';
import { createElement } from '../../shared/ui/elements.js';
import { showOnPage } from '../pages/show-on-page.js';
import { COLORS } from './colors.js';
import { firstMarkOf, handleOf } from './highlight-marks.js';
import { PanelPlace } from './panel-place.js';
import { articleMarkdown, highlightMarkdown } from './quote-markdown.js';

const EMPTY = t('No highlights yet. Select text in the article to highlight it.');

export class HighlightsPanel {
  #body;
  #highlights;
  #editor;
  #note;
  #bookmarks;
  #button;
  #panel;
  #place;
  #list = createElement('ol');
  #empty = createElement('p', { className: 'empty', textContent: EMPTY });

  /**
   * @param {object} parts
   * @param {HTMLElement} parts.reader
   * @param {HTMLButtonElement} parts.button opens and closes the panel
   * @param {import('./article-highlights.js').ArticleHighlights} parts.highlights
   * @param {import('./highlight-editor.js').HighlightEditor} parts.editor
   * @param {import('../notes/note-field.js').NoteField} parts.note
   * @param {import('../bookmarks/bookmark-list.js').BookmarkList} parts.bookmarks
   */
  constructor({ reader, button, highlights, editor, note, bookmarks }) {
    this.#body = reader.querySelector('.body');
    this.#highlights = highlights;
    this.#editor = editor;
    this.#note = note;
    this.#bookmarks = bookmarks;
    bookmarks.makeRoom = () => this.#place.coversText && this.close();
    this.#button = button;
    const close = createElement('button', { type: 'button', textContent: t('Close') });
    close.onclick = () => this.close();
    const copy = createElement('button', { type: 'button', textContent: t('Copy all as Markdown') });
    copy.onclick = () => copyText(this.#markdown());
    const heading = createElement('h2', { id: 'highlights-name', tabIndex: -1, textContent: t('Highlights') });
    this.#panel = createElement('aside', { id: 'highlights', hidden: true },
      createElement('header', {}, heading, close), note.element, bookmarks.element, this.#empty, this.#list, copy);
    this.#panel.setAttribute('aria-labelledby', heading.id);
    this.#panel.addEventListener('keydown', (event) => {
      if (event.target.matches('textarea, input')) event.stopPropagation();
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.close();
    });
    reader.querySelector('article').after(this.#panel);
    this.#place = new PanelPlace(reader, this.#panel);
    reader.addEventListener('click', ({ target }) => {
      // Where the panel covers the text, a click on the text arrives here.
      if (!this.#panel.hidden && target.matches('#reader, article') && this.#place.coversText) this.close();
    });
    button.onclick = () => (this.#panel.hidden ? this.open() : this.close());
    button.ariaExpanded = 'false';
    button.setAttribute('aria-controls', this.#panel.id);
  }

  open() {
    this.#panel.hidden = false;
    this.#button.ariaExpanded = 'true';
    this.render();
    this.#bookmarks.load();
    this.#place.update();
    this.#panel.querySelector('h2').focus({ preventScroll: true });
  }

  close() {
    if (this.#panel.hidden) return;
    const hadFocus = this.#panel.contains(document.activeElement);
    this.#panel.hidden = true;
    this.#place.update();
    this.#button.ariaExpanded = 'false';
    if (hadFocus) this.#button.focus({ preventScroll: true });
  }

  /** Shows the highlights as they are now. */
  render() {
    const highlights = this.#highlights.all();
    this.#button.dataset.count = highlights.length || '';
    if (this.#panel.hidden) return;
    const focus = this.#rememberFocus();
    this.#list.replaceChildren(...highlights.map((highlight) => this.#createItem(highlight)));
    this.#list.hidden = !highlights.length;
    this.#empty.hidden = highlights.length > 0;
    this.#panel.lastElementChild.hidden = !highlights.length;
    if (focus) this.#restoreFocus(focus);
  }

  #createItem(highlight) {
    const { id, quote, note, color } = highlight;
    const isShown = this.#highlights.isShown(id);
    const createButton = (name, onclick) => createElement('button', { type: 'button', onclick }, name);
    const buttons = [
      ...(isShown ? [createButton(t('Go to'), () => this.#goTo(id))] : []),
      createButton(t('Edit'), () => this.#editor.open(id)),
      createButton(t('Copy'), () => copyText(highlightMarkdown(highlight))),
      createButton(t('Delete'), () => this.#highlights.remove(id)),
    ];
    const item = createElement('li', {},
      createElement('blockquote', { dir: 'auto', title: COLORS[color] }, quote),
      note && createElement('p', { className: 'highlight-note', dir: 'auto' }, note),
      !isShown && createElement('small', {}, t('No longer in the text')),
      createElement('div', { className: 'buttons' }, ...buttons));
    Object.assign(item.dataset, { color, id });
    return item;
  }

  #goTo(id) {
    if (this.#place.coversText) this.close();
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
    const mark = firstMarkOf(this.#body, id);
    if (!showOnPage(mark)) mark.scrollIntoView({ block: 'center', behavior });
    handleOf(this.#body, id).focus({ preventScroll: true });
  }

  #markdown() {
    const { link } = this.#highlights;
    return articleMarkdown({
      title: linkTitle(link),
      url: linkURL(link),
      note: this.#note.text,
      highlights: this.#highlights.all(),
    });
  }

  #rememberFocus() {
    const item = document.activeElement?.closest('#highlights li');
    if (!item) return null;
    const { textContent: name } = document.activeElement;
    return { id: item.dataset.id, name, index: [...this.#list.children].indexOf(item) };
  }

  // After a deletion, the focus moves to the next highlight.
  #restoreFocus({ id, name, index }) {
    const items = [...this.#list.children];
    const item = items.find((each) => each.dataset.id === id) ?? items[Math.min(index, items.length - 1)];
    const button = [...item?.querySelectorAll('button') ?? []].find(({ textContent }) => textContent === name);
    (button ?? this.#panel.querySelector('h2')).focus({ preventScroll: true });
  }
}
