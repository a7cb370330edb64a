// Adding the highlights of an e-reader: the file, and what became of it.

import { t } from '../shared/locale/translate.js';
import { createElement } from '../shared/ui/elements.js';

/** @param {HTMLElement} box */
export function setUpClippings(box) {
  const field = box.querySelector('input');
  const status = box.querySelector('[role=status]');
  field.onchange = async () => {
    const [file] = field.files;
    if (!file) return;
    field.disabled = true;
    status.className = 'hint';
    status.replaceChildren(t('Looking for the passages …'));
    try {
      status.replaceChildren(...describe(await add(file)));
    } catch (error) {
      status.className = 'error';
      status.replaceChildren(error.message);
    }
    field.disabled = false;
    // The same file can be chosen again.
    field.value = '';
  };
}

async function add(file) {
  const [{ MAX_BYTES, decodeClippings, readClippings }, { importClippings }] = await Promise.all([
    import('./clippings/clippings.js'), import('./clippings/import.js'),
  ]);
  if (file.size > MAX_BYTES) throw Error(t('The file is larger than 20 MB.'));
  return importClippings(readClippings(decodeClippings(await file.arrayBuffer())));
}

function describe({ added, known, articles, missing }) {
  const parts = [
    t('{n} highlight added|{n} highlights added', { n: added }), ' · ', t('{n} article|{n} articles', { n: articles }),
  ];
  if (known) parts.push(' · ', t('{n} was already there|{n} were already there', { n: known }));
  if (!missing.length) return parts;
  return [...parts, ' · ', t('not found:'), createElement('ul', {}, ...missing.map(describeMissing))];
}

function describeMissing({ title, clips, hasArticle }) {
  const why = hasArticle ? t('not in the text of the article') : t('no article of this title');
  return createElement('li', { dir: 'auto' },
    `${title || t('A book without a title')}: ${t('{n} highlight|{n} highlights', { n: clips.length })}, ${why}`);
}
