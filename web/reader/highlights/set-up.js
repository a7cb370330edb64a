// Highlights, bookmarks and the note in the reader: what is selected becomes a highlight, a click on one opens it, and
// a panel has all of them and the note.

import { ChangeSubscription } from '../../shared/api/realtime.js';
import { linkURL } from '../../shared/links/link-text.js';
import { t } from '../../shared/locale/translate.js';
import { copyText } from '../../shared/ui/clipboard.js';
import { createElement } from '../../shared/ui/elements.js';
import { BookmarkList } from '../bookmarks/bookmark-list.js';
import { NoteField } from '../notes/note-field.js';
import { ArticleHighlights } from './article-highlights.js';
import { colorWord } from './colors.js';
import { HighlightEditor } from './highlight-editor.js';
import { clickedHighlight } from './highlight-marks.js';
import { HighlightsPanel } from './highlights-panel.js';
import { quotationMarkdown } from './quote-markdown.js';
import { SelectionToolbar } from './selection-toolbar.js';

/**
 * Sets up highlights and the note of the article.
 * @param {HTMLElement} reader dispatches `article-shown` with `{link, article}` and `article-closed`
 * @param {() => number} currentIndex returns the index of the first character on the screen
 */
export function setUpHighlights(reader, currentIndex) {
  const body = reader.querySelector('.body');
  const status = createElement('p', { className: 'said', role: 'status' });
  const button = reader.querySelector('.tools .highlights');
  const highlights = new ArticleHighlights(body, () => panel.render());
  const editor = new HighlightEditor(highlights, reader);
  const note = new NoteField();
  const bookmarks = new BookmarkList(reader, currentIndex);
  const panel = new HighlightsPanel({ reader, button, highlights, editor, note, bookmarks });

  /** Where a quotation is from. */
  let source = { title: '', url: '' };

  async function highlight(range, { color, withNote }) {
    const passage = highlights.passageOf(range);
    const row = passage && await highlights.add(passage, color);
    if (!row) return;
    status.textContent = t('Highlighted in {color}.', { color: colorWord(color) });
    if (withNote) editor.open(row.id);
  }

  const toolbar = new SelectionToolbar(body, {
    onHighlight: highlight,
    onCopy: (quote) => copyText(quotationMarkdown({ quote, ...source }), t('Quote copied.')),
  });
  const follow = followChanges(highlights, note);
  reader.append(status);
  body.addEventListener('click', (event) => {
    const id = getSelection().isCollapsed && clickedHighlight(event.target);
    if (id) editor.open(id);
  });
  reader.addEventListener('article-shown', ({ detail: { link, article } }) => {
    source = { title: reader.querySelector('h1').textContent, url: linkURL(link) };
    highlights.open(link, article);
    note.open(link.id);
    bookmarks.open(link, article);
    follow();
  });
  reader.addEventListener('article-closed', () => {
    highlights.close();
    note.close();
    bookmarks.close();
    panel.close();
    editor.close();
    toolbar.update();
  });
}

/** Returns a function that starts to follow the changes of other devices; further calls do nothing. */
function followChanges(highlights, note) {
  let subscription;
  return () => {
    if (subscription) return;
    subscription = new ChangeSubscription(['highlights', 'notes'], {
      onChange: (change) => (change.table === 'notes' ? note.receive(change) : highlights.receive(change)),
      onMissed: () => {
        highlights.reload();
        note.reload();
      },
    });
    subscription.start();
  };
}
