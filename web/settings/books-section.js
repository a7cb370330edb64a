// The section of books: those of several articles, with their state, and their files.

import { downloadBook } from '../list/book-download.js';
import { errorText } from '../shared/api/error-texts.js';
import { restRequest } from '../shared/api/session.js';
import { formatSize } from '../shared/format/numbers.js';
import { sendToEreader } from '../shared/links/ereader.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';
import { createElement, createFactsLine, createTime } from '../shared/ui/elements.js';
import { setUpListSection } from '../shared/ui/list-section.js';
import { showToast } from '../shared/ui/toast.js';
import { setUpClippings } from './clippings-form.js';
import { setUpEreader } from './ereader.js';

/** Milliseconds between two looks at books that are being made. */
const PAUSE_MS = 2000;

const BOOKS = 'books?order=created_at.desc,id.desc';

/** @param {HTMLElement} section */
export function setUpBooks(section) {
  let shown = '';
  setUpClippings(section.querySelector('.clippings'));
  const showMails = setUpEreader(section.querySelector('.ereader'));
  const load = async () => {
    const books = await restRequest(BOOKS);
    shown = states(books);
    return books;
  };
  const refresh = setUpListSection(section, load, (book) => createRow(book, { refresh: () => refresh(), showMails }), watch);

  // The rows are replaced only when a book is ready, so that a button keeps the focus.
  function watch(books) {
    if (!books.some(({ state }) => state === 'pending')) return;
    setTimeout(async () => {
      const now = await restRequest('books?select=id,state&order=created_at.desc,id.desc').catch(() => null);
      if (now && states(now) !== shown) await refresh();
      else watch(books);
    }, PAUSE_MS);
  }
}

function states(books) {
  return books.map(({ id, state }) => `${id} ${state}`).join();
}

function createRow(book, page) {
  const { title, state, links, bytes, created_at, reason } = book;
  const row = createElement('li', {},
    createElement('div', {},
      createElement('p', { className: 'head', dir: 'auto' }, title),
      createFactsLine(
        t('{n} article|{n} articles', { n: links }),
        state === 'ready' && formatSize(bytes),
        state === 'pending' && t('being made …'),
        state === 'failed' && t('could not be made'),
        createTime(created_at)),
      reason && createElement('p', { className: 'error' }, errorText(reason))),
    createElement('div', { className: 'buttons' }, ...buttons(book, page)));
  row.dataset.state = state;
  return row;
}

function buttons({ id, title, state }, { refresh, showMails }) {
  const button = (textContent, ariaLabel, work) =>
    createElement('button', { textContent, ariaLabel, onclick: busyWhile(work) });
  return [
    state === 'ready' && button(t('Download'), t('Download {title}', { title }), () => downloadBook(id)),
    state === 'ready' && button(t('Send'), t('Send {title}', { title }), async () => {
      await sendToEreader({ book: id });
      await showMails();
    }),
    button(t('Delete'), t('Delete {title}', { title }), async () => {
      const question = t('Delete “{title}”?', { title });
      if (!await confirmAction(question, t('Its articles stay where they are.'), t('Delete'))) return;
      await restRequest(`books?id=eq.${id}`, { method: 'DELETE' });
      await refresh();
      showToast(t('The book is deleted.'));
    }),
  ].filter(Boolean);
}
