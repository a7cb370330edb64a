// Filing links by dragging them, by title or picture, to a tag or a collection of the sidebar.

import { t } from '../shared/locale/translate.js';
import { showError, showToast } from '../shared/ui/toast.js';
import { changeLinks } from './bulk-changes.js';

/** The type of what is dragged, so that nothing else is accepted. */
const TYPE = 'application/x-lectern-links';

/**
 * Sets up dragging.
 * @param {HTMLElement} rows the element with the cards
 * @param {HTMLElement} sidebar whose items have `data-tag`, a name, or `data-collection`, an id
 * @param {object} page
 * @param {(id: string) => import('../shared/links/link-text.js').Link[]} page.dragged the links that are dragged with
 *   one of them: the selected ones if it is among them, else itself
 * @param {(ids: string[]) => void} page.onFiled called after links were filed, and after that was undone
 */
export function setUpDragToFile(rows, sidebar, { dragged, onFiled }) {
  let links = [];
  let target = null;

  rows.addEventListener('dragstart', ({ target: source, dataTransfer }) => {
    const row = (source.closest ? source : source.parentElement).closest('[data-id]');
    if (!row) return;
    links = dragged(row.dataset.id);
    dataTransfer.setData(TYPE, '');
    dataTransfer.effectAllowed = 'copyLink';
    document.documentElement.classList.add('dragging-links');
  });
  rows.addEventListener('dragend', () => {
    document.documentElement.classList.remove('dragging-links');
    mark(null);
  });

  function mark(item) {
    target?.classList.remove('drop-here');
    target = item;
    target?.classList.add('drop-here');
  }

  sidebar.addEventListener('dragover', (event) => {
    const item = event.target.closest('li[data-tag], li[data-collection]');
    if (target !== item) mark(item);
    if (!item || !event.dataTransfer.types.includes(TYPE)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  });
  sidebar.addEventListener('dragleave', ({ relatedTarget }) => {
    if (!sidebar.contains(relatedTarget)) mark(null);
  });
  sidebar.addEventListener('drop', async (event) => {
    const item = event.target.closest('li[data-tag], li[data-collection]');
    if (!item || !event.dataTransfer.types.includes(TYPE)) return;
    event.preventDefault();
    mark(null);
    await file(links, item);
  });

  async function file(chosen, { dataset: { tag, collection, name } }) {
    const change = tag === undefined ? { add_to: collection } : { add_tags: [tag] };
    try {
      const { undo } = await changeLinks(chosen, change);
      onFiled(chosen.map(({ id }) => id));
      showToast(t('Added to {name}: {n} link.|Added to {name}: {n} links.', { name, n: chosen.length }), async () => {
        try {
          await undo();
          onFiled(chosen.map(({ id }) => id));
        } catch (error) {
          showError(error);
        }
      });
    } catch (error) {
      showError(error);
    }
  }
}
