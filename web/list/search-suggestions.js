// Suggestions below the search box: tags after `#`, collections after `in:`, sites after `site:`.

import { createElement } from '../shared/ui/elements.js';
import { suggest } from './folders-api.js';
import { complete, completionAt } from './completions.js';

/**
 * Sets up the field. It stays a searchbox, which has no expanded state; the active suggestion is its active descendant.
 * @param {HTMLInputElement} field
 * @param {HTMLUListElement} box
 */
export function setUpSuggestions(field, box) {
  let completion = null;
  let active = -1;

  field.addEventListener('input', async () => {
    completion = completionAt(field.value, field.selectionStart);
    const asked = completion;
    if (!asked) {
      show([]);
      return;
    }
    const found = await suggest(asked.prefix).catch(() => null);
    // An answer to an earlier text may arrive late.
    if (asked === completion) show(found?.[asked.kind] ?? []);
  });
  field.addEventListener('blur', () => show([]));
  field.addEventListener('keydown', (event) => {
    if (box.hidden) return;
    const count = box.children.length;
    if (event.key === 'ArrowDown') activate((active + 1) % count);
    else if (event.key === 'ArrowUp') activate((active - 1 + count) % count);
    else if (event.key === 'Escape') show([]);
    else if ((event.key === 'Enter' || event.key === 'Tab') && active >= 0) accept(box.children[active]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  // Before the field loses the focus.
  box.onpointerdown = (event) => {
    event.preventDefault();
    const option = event.target.closest('li');
    if (option) accept(option);
  };

  function show(names) {
    active = -1;
    box.replaceChildren(...names.map((name, index) =>
      createElement('li', { id: `suggestion-${index}`, role: 'option', ariaSelected: 'false', dir: 'auto' }, name)));
    box.hidden = !names.length;
    field.removeAttribute('aria-activedescendant');
  }

  function activate(index) {
    active = index;
    for (const [each, option] of [...box.children].entries()) option.ariaSelected = String(each === index);
    field.setAttribute('aria-activedescendant', box.children[index].id);
    box.children[index].scrollIntoView({ block: 'nearest' });
  }

  function accept(option) {
    const { text, caret } = complete(field.value, completion, option.textContent);
    field.value = text;
    field.setSelectionRange(caret, caret);
    completion = null;
    show([]);
    field.dispatchEvent(new Event('input'));
  }
}
