// The tags of the open article, below its title: each leads to the links that have it and can be removed, and a
// field adds more.

import { addTag, fetchFolders, removeTag, suggest } from '../../list/folders-api.js';
import { tagQuery } from '../../list/query-text.js';
import { searchHash } from '../../list/route.js';
import { MAX_NAME, parseTagNames } from '../../shared/links/tag-names.js';
import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { showError, showToast } from '../../shared/ui/toast.js';

/** Pause after the last key before suggestions are fetched. */
const PAUSE_MS = 150;

const NONE = { tags: [] };

/**
 * Sets up the tags.
 * @param {HTMLElement} reader dispatches `article-shown` with `{link}` and `article-closed`
 * @param {object} page
 * @param {HTMLDialogElement} page.dialog changes tags, too
 * @param {(linkId: string) => void} page.onChanged called after the tags of the link have changed
 */
export function setUpTags(reader, { dialog, onChanged }) {
  const list = createElement('ul', { ariaLabel: t('Tags') });
  const suggestions = createElement('datalist', { id: 'tag-suggestions' });
  const field = createElement('input', {
    name: 'tag', autocomplete: 'off', placeholder: t('Add tag'), ariaLabel: t('Add tag'), enterKeyHint: 'done',
  });
  field.setAttribute('list', suggestions.id);
  const form = createElement('form', {}, field, suggestions);
  const section = createElement('div', { className: 'article-tags', hidden: true }, list, form);
  reader.querySelector('article > header').append(section);

  let linkId = null;
  let tags = [];
  let asked = 0;
  let timer;

  function render() {
    list.replaceChildren(...tags.map(createItem));
    list.hidden = !tags.length;
  }

  function createItem({ id, name }) {
    const link = createElement('a', { href: searchHash(tagQuery(name)), dir: 'auto', textContent: name });
    const button = createElement('button', { type: 'button', ariaLabel: t('Remove tag {name}', { name }) }, '×');
    button.onclick = () => remove({ id, name });
    return createElement('li', {}, link, button);
  }

  async function load(id) {
    asked += 1;
    const number = asked;
    const found = await fetchFolders(id);
    // A later answer is newer.
    if (linkId !== id || number < asked) return;
    tags = found.tags;
    render();
  }

  // Runs a request that changes the tags of a link, and shows them if the link is still open.
  async function change(id, request) {
    try {
      await request();
      onChanged(id);
      if (linkId === id) await load(id);
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  }

  async function remove({ id, name }) {
    const link = linkId;
    const isRemoved = await change(link, () => removeTag(link, id));
    if (!isRemoved) return;
    field.focus();
    showToast(t('Tag removed: {name}', { name }), () => change(link, () => addTag(link, name)));
  }

  form.onsubmit = async (event) => {
    event.preventDefault();
    const typed = field.value;
    const names = parseTagNames(typed);
    const tooLong = names.find((name) => [...name].length > MAX_NAME);
    if (tooLong) {
      showToast(t('A tag has at most {max} characters.', { max: MAX_NAME }));
      return;
    }
    const link = linkId;
    const isAdded = names.length && await change(link, async () => {
      for (const name of names) await addTag(link, name);
    });
    if (!isAdded) return;
    // The user may be typing the next one.
    if (field.value === typed) {
      field.value = '';
      suggestions.replaceChildren();
    }
    showToast(t('Tag added: {name}', { name: names.join(', ') }));
  };

  field.oninput = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const prefix = parseTagNames(field.value).at(-1);
      const { tags: names } = prefix ? await suggest(prefix).catch(() => NONE) : NONE;
      const isOnLink = (name) => tags.some((tag) => tag.name === name);
      suggestions.replaceChildren(...names.filter((name) => !isOnLink(name))
        .map((value) => createElement('option', { value })));
    }, PAUSE_MS);
  };

  dialog.addEventListener('close', () => linkId && load(linkId).catch(() => {}));
  reader.addEventListener('article-shown', ({ detail: { link } }) => {
    linkId = link.id;
    section.hidden = false;
    load(link.id).catch(showError);
  });
  reader.addEventListener('article-closed', () => {
    linkId = null;
    tags = [];
    field.value = '';
    section.hidden = true;
    render();
  });
}
