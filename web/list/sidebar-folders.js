// The tags and collections in the sidebar.

import { currentSession } from '../shared/api/session.js';
import { formatNumber } from '../shared/format/numbers.js';
import { t } from '../shared/locale/translate.js';
import { createElement } from '../shared/ui/elements.js';
import { collectionTree } from './collection-tree.js';
import { fetchCollections, fetchTags } from './folders-api.js';
import { keepTags, keptTags } from './kept-tags.js';
import { collectionQuery, tagQuery } from './query-text.js';
import { searchHash } from './route.js';

/** The numbers of the last request for the folders, and of the one whose answer is shown. */
let asked = 0;
let shown = 0;

/** By list, the folders that it shows, as JSON. */
const shownIn = new WeakMap();

/**
 * Loads tags and collections and shows them. If they cannot be loaded, shows what is shown already, or else the tags of
 * the last visit; the list says why.
 * @param {HTMLElement} sidebar
 * @param {(table: 'tags' | 'collections', folder: {id: string, name: string, query?: string | null}) => void} onEdit
 */
export async function showFolders(sidebar, onEdit) {
  asked += 1;
  const number = asked;
  const session = currentSession();
  const loaded = await Promise.all([fetchTags(), fetchCollections()]).catch(() => null);
  // An answer that arrives later may be older.
  if (number < shown || (!loaded && shown)) return;
  const [tags, collections] = loaded ?? [keptTags(session), []];
  if (loaded) {
    shown = number;
    keepTags(currentSession()?.user === session?.user ? session : null, tags);
  }
  show('tags', tags, ({ name }) => tagQuery(name));
  show('collections', collectionTree(collections), ({ id }) => collectionQuery(id));

  function show(table, folders, query) {
    const list = sidebar.querySelector(`ul.${table}`);
    const text = JSON.stringify(folders);
    // A click that has begun would be lost with its element.
    if (shownIn.get(list) === text) return;
    shownIn.set(list, text);
    const items = folders.map((folder) => createItem(table, folder, query(folder)));
    const { activeElement } = document;
    const focused = list.contains(activeElement) && activeElement.closest('li').dataset.folder;
    list.replaceChildren(...items);
    if (focused) {
      const item = items.find(({ dataset }) => dataset.folder === focused);
      (item?.querySelector(activeElement.localName) ?? sidebar.querySelector(`[data-new=${table}]`)).focus();
    }
    sidebar.querySelector(`.no-${table}`).hidden = items.length > 0;
  }

  function createItem(table, folder, query) {
    const count = createElement('span', { className: 'count' }, formatNumber(folder.count));
    const name = createElement('span', { className: 'name', dir: 'auto' }, folder.name);
    const link = createElement('a', { href: searchHash(query) }, name, count);
    const edit = createElement('button', { title: t('Edit') }, '⋯');
    edit.ariaLabel = t('Edit {name}', { name: folder.name });
    edit.onclick = () => onEdit(table, folder);
    const item = createElement('li', { className: folder.query ? 'smart' : '' }, link, edit);
    item.style.setProperty('--depth', folder.depth ?? 0);
    item.dataset.folder = folder.id;
    // Where links are dragged to; a search that is saved fills itself.
    if (!folder.query) {
      item.dataset.name = folder.name;
      item.dataset[table === 'tags' ? 'tag' : 'collection'] = table === 'tags' ? folder.name : folder.id;
    }
    return item;
  }
}
