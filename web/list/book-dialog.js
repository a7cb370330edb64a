// The dialog that has one book made of several articles.

import { restRequest } from '../shared/api/session.js';
import { onSubmit } from '../shared/forms/form.js';
import { t } from '../shared/locale/translate.js';
import { showToast } from '../shared/ui/toast.js';

/**
 * Asks for the title of a book, and has the book made.
 * @param {HTMLDialogElement} dialog
 * @param {object} articles
 * @param {string} articles.query finds the articles
 * @param {string[]} [articles.links] the ids of those that are meant; all without it
 * @param {string} [articles.title] what the title may be
 * @returns {Promise<boolean>} whether the book is being made
 */
export async function makeBook(dialog, { query, links, title = '' }) {
  const form = dialog.querySelector('form');
  let isMade = false;
  onSubmit(form, async ({ title: chosen }) => {
    const body = { query, title: chosen.trim(), ...links && { links } };
    await restRequest('rpc/make_book', { method: 'POST', body });
    isMade = true;
    dialog.close();
  });
  form.reset();
  form.querySelector('[role=alert]').textContent = '';
  form.elements.title.value = title;
  // Not a submit button, as Enter in a field presses the first one of these.
  form.querySelector('.cancel').onclick = () => dialog.close();
  dialog.showModal();
  form.elements.title.select();
  await new Promise((resolve) => {
    dialog.onclose = resolve;
  });
  if (isMade) showToast(t('The book is being made. You can find it under Settings, Books.'));
  return isMade;
}
