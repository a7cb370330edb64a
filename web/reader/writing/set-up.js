// Decides whether the lines of the open article are horizontal or vertical. The styles go by the root's `data-writing`.

import { verticalScript, writingMode } from './vertical-script.js';

/**
 * Sets up the writing mode. What measures the article listens to the same events, and has to be set up later.
 * @param {HTMLElement} reader dispatches `article-shown` with `{article}`, `article-failed` and `article-closed`
 * @param {HTMLInputElement} field "Vertical text", which is shown while an article can have vertical lines
 */
export function setUpWriting(reader, field) {
  const article = reader.querySelector('article');
  const { dataset } = document.documentElement;
  let script = null;

  function apply() {
    const mode = writingMode(script, dataset.vertical === 'true');
    if (mode) dataset.writing = mode;
    else delete dataset.writing;
    field.closest('label').hidden = script !== 'east-asian';
  }

  function leave() {
    script = null;
    apply();
  }

  reader.addEventListener('article-shown', ({ detail: { article: { lang } } }) => {
    script = verticalScript(lang ?? '', reader.querySelector('.body').textContent);
    apply();
  });
  reader.addEventListener('article-closed', () => {
    if (dataset.writing) article.scrollTo(0, 0);
    // The next article usually has the same lines; the window would be laid out twice.
    if (!location.hash.startsWith('#/link/')) leave();
  });
  // What is said instead of the article has horizontal lines.
  reader.addEventListener('article-failed', leave);
  addEventListener('textsettings', apply);
}
