// Reporting that the text of an article looks wrong: a button of "More actions", and a dialog with a note.

import { reportArticle, withdrawReport } from '../../shared/links/article-versions.js';
import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { showError, showToast } from '../../shared/ui/toast.js';

/** The most characters that a note may have. */
const MAX_NOTE = 1000;

/**
 * Sets up the report.
 * @param {HTMLElement} reader dispatches `article-shown` with `{link}`
 * @param {HTMLDialogElement} moreDialog "More actions"
 */
export function setUpReport(reader, moreDialog) {
  const note = createElement('textarea', { name: 'note', maxLength: MAX_NOTE, rows: 3 });
  const error = createElement('p', { role: 'alert' });
  const cancel = createElement('button', { type: 'button', textContent: t('Cancel') });
  const form = createElement('form', {},
    createElement('h2', { id: 'report-name', textContent: t('This looks wrong') }),
    createElement('p', { className: 'hint' },
      t('The page, its text and your note are kept for the administrator of this server. Nothing is sent elsewhere.')),
    createElement('label', {}, t('What is wrong?'), note),
    error,
    createElement('div', { className: 'buttons' }, cancel,
      createElement('button', { className: 'strong', textContent: t('Report#verb') })));
  const dialog = createElement('dialog', { className: 'sheet' }, form);
  dialog.setAttribute('aria-labelledby', 'report-name');
  document.body.append(dialog);
  const button = createElement('button', { type: 'button', className: 'in-reader', textContent: t('This looks wrong') });
  moreDialog.querySelector('.again').after(button);
  let shown = null;

  button.onclick = () => {
    moreDialog.close();
    form.reset();
    error.textContent = '';
    dialog.showModal();
  };
  cancel.onclick = () => dialog.close();
  form.onsubmit = async (event) => {
    event.preventDefault();
    const id = shown;
    try {
      const { has_page: hasPage } = await reportArticle(id, note.value);
      dialog.close();
      const message = hasPage ? t('Reported.') : t('Reported without the page, of which the server has no copy.');
      showToast(message, () => withdrawReport(id).catch(showError));
    } catch (failure) {
      error.textContent = failure.message;
    }
  };
  reader.addEventListener('article-shown', ({ detail: { link } }) => {
    shown = link.id;
  });
}
