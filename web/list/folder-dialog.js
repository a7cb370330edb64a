// The dialog that asks for a tag or a collection.

import { isOffline } from '../shared/api/connection.js';
import { createElement } from '../shared/ui/elements.js';
import { failure, MESSAGES } from '../shared/ui/messages.js';
import { collectionTree } from './collection-tree.js';
import { fetchCollections, suggest } from './folders-api.js';

/** An em space, since browsers ignore the padding of options. */
const INDENT = '\u2003';

/**
 * Offers the names of tags that begin with what is typed into a field.
 * @param {HTMLInputElement} field with a `datalist`
 */
export function suggestTags(field) {
  let last;
  field.oninput = async () => {
    const prefix = field.value.trim();
    last = prefix;
    const { tags } = prefix ? await suggest(prefix).catch(() => ({ tags: [] })) : { tags: [] };
    // An answer to an earlier text may arrive late.
    if (last === prefix) field.list.replaceChildren(...tags.map((value) => createElement('option', { value })));
  };
}

/**
 * Asks for a tag or a collection.
 * @param {HTMLDialogElement} dialog
 * @param {'tag' | 'collection'} kind
 * @param {string} title
 * @returns {Promise<{change: {add_tags: string[]} | {add_to: string}, name: string} | null>} null if the user
 *   cancels
 */
export async function chooseFolder(dialog, kind, title) {
  const { tag, collection } = dialog.querySelector('form').elements;
  const isTag = kind === 'tag';
  dialog.querySelector('h2').textContent = title;
  tag.value = '';
  tag.closest('label').hidden = tag.disabled = !isTag;
  collection.closest('label').hidden = collection.disabled = isTag;
  // Collections are not kept in the browser.
  if (!isTag && isOffline()) throw failure(MESSAGES.offline);
  if (!isTag) {
    const own = collectionTree((await fetchCollections()).filter(({ query }) => !query));
    collection.replaceChildren(...own.map(({ id, name, depth }) =>
      createElement('option', { value: id }, INDENT.repeat(depth) + name)));
  }
  dialog.querySelector('.hint').hidden = isTag || collection.options.length > 0;
  suggestTags(tag);
  // Not a submit button, as Enter in a field presses the first one of these.
  dialog.querySelector('.cancel').onclick = () => dialog.close();
  dialog.returnValue = '';
  dialog.showModal();
  (isTag ? tag : collection).focus();
  await new Promise((resolve) => {
    dialog.onclose = resolve;
  });
  const name = tag.value.trim();
  if (dialog.returnValue !== 'yes') return null;
  if (isTag) return name ? { change: { add_tags: [name] }, name: `#${name}` } : null;
  const [option] = collection.selectedOptions;
  return option ? { change: { add_to: option.value }, name: option.text.trim() } : null;
}
