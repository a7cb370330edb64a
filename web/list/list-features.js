// What the list offers beyond its rows: selecting, filing, the sidebar, and finding. Most of it is loaded when it is
// used first.

import { droppedFiles, holdInput } from '../shared/ui/held-input.js';
import { once, onceWanted } from './lazy-parts.js';
import { LazySelection } from './lazy-selection.js';
import { ListTools } from './list-tools.js';
import { routeQuery } from './query-text.js';
import { parseRoute } from './route.js';
import { Sidebar } from './sidebar.js';
import { setUpTouch } from './touch.js';

const element = (id) => document.getElementById(id);

/**
 * Sets up the features of the list.
 * @param {object} page
 * @param {import('./link-list.js').LinkList} page.list
 * @param {import('../shared/links/link-store.js').LinkStore} page.store
 * @param {import('./link-actions.js').LinkActions} page.actions
 * @param {() => Promise<import('./link-news.js').LinkNews>} page.news
 * @param {Promise<void>} page.firstView see `BackgroundWork`
 * @returns {{selection: import('./lazy-selection.js').LazySelection, onListShown: () => void,
 *   openTrash: (deleting: Promise<void>) => void,
 *   showMore: (link: import('../shared/links/link-text.js').Link) => void, refreshFolders: () => void}}
 */
export function setUpListFeatures({ list, store, actions, news, firstView }) {
  const query = () => routeQuery(parseRoute(location.hash));
  const openBookDialog = async (articles) => {
    const { makeBook } = await import('./book-dialog.js');
    return makeBook(element('new-book'), articles);
  };
  const shelf = once(() => firstView.then(() => import('./shelf.js')));
  const refreshShelf = () => shelf().then(({ showShelf }) => showShelf(element('shelf'), list)).catch(() => {});
  const sidebar = new Sidebar(element('sidebar'), {
    toggle: element('sidebar-toggle'),
    dialog: element('folder'),
    onChanged: () => list.reload(),
  });
  const selection = new LazySelection(async () => {
    const { SelectionBar } = await import('./selection-bar.js');
    return new SelectionBar(element('selection'), {
      list,
      store,
      query,
      onChanged: () => {
        sidebar.refresh();
        refreshShelf();
      },
      makeBook: openBookDialog,
      chooseFolder: async (kind, title) => {
        const { chooseFolder } = await import('./folder-dialog.js');
        return chooseFolder(element('choose'), kind, title);
      },
    });
  });
  const tools = new ListTools(element('list-tools'), {
    filters: element('filters'),
    help: element('search-help'),
    onSave: (text) => sidebar.edit('collections', { name: '', query: text }),
    onMakeBook: (text) => openBookDialog({ query: text, title: element('name').textContent }),
  });
  holdInput(element('save'), ({ type }) => type === 'submit', async () => {
    const [{ setUpSaveForm }, told] = await Promise.all([import('./save-form.js'), news()]);
    setUpSaveForm(element('save'), (link) => told.onSaved(link));
  });
  // The user may be reading by then, and stays there.
  setUpFiles(element('save'), element('files'), {
    onSaved: async (link) => list.name === 'read' && (await news()).onSaved(link),
    onUndone: ({ id }) => store.remove(id),
  });
  holdInput(list.rows, ({ type, target }) => type === 'click' && target.matches('[data-select]'), selection.load);
  // What the user is about to select.
  list.rows.addEventListener('focusin', () => selection.load().catch(() => {}), { once: true });
  setUpTouch(list.rows, async () => {
    const [{ setUpSwipes }] = await Promise.all([import('./swipe.js'), selection.load()]);
    setUpSwipes(list.rows);
  });
  const dragging = once(async () => {
    const { setUpDragToFile } = await import('./drag-to-file.js');
    setUpDragToFile(list.rows, element('sidebar'), {
      dragged: (id) => selection.linksWith(id).map((each) => store.get(each)).filter(Boolean),
      onFiled: (ids) => {
        list.loadDetails(ids);
        sidebar.refresh();
      },
    });
  });
  // The pointer may be over the list already.
  list.rows.addEventListener('pointerover', () => dragging().catch(() => {}));
  setUpSuggestions(element('search').elements.q, element('suggestions'));
  const linkDialog = onceWanted(async () => {
    const { LinkDialog } = await import('./link-dialog.js');
    return new LinkDialog(element('more'), {
      onFiled: (id) => {
        list.loadDetails([id]);
        sidebar.refresh();
      },
      onRetry: (link) => actions.run('renew', link),
    });
  });
  const trash = onceWanted(async () => {
    const { Trash } = await import('./trash.js');
    return new Trash(element('trash'), store);
  });
  return {
    selection,
    openTrash: async (deleting) => (await trash()).open(deleting),
    showMore: async (link) => (await linkDialog()).open(link),
    refreshFolders: () => sidebar.refresh(),
    onListShown: () => {
      selection.clear();
      sidebar.showCurrent();
      tools.show(query(), !list.name);
      firstView.then(() => sidebar.refresh());
      refreshShelf();
    },
  };
}

// The suggestions below the search box are loaded when it gets the focus.
function setUpSuggestions(field, box) {
  const suggestions = onceWanted(async () => {
    const module = await import('./search-suggestions.js');
    module.setUpSuggestions(field, box);
    // What was typed while they were loaded.
    if (field.value && document.activeElement === field) field.dispatchEvent(new Event('input'));
  });
  field.addEventListener('focus', () => suggestions().catch(() => {}), { once: true });
}

// Files are chosen with a button or dropped anywhere on the page of the list.
function setUpFiles(form, part, listeners) {
  const uploads = onceWanted(async () => {
    const { uploadsToList } = await import('./file-uploads.js');
    return uploadsToList(part, listeners);
  });
  form.querySelector('.choose').onclick = async () => (await uploads()).choose();
  const dropping = onceWanted(async () => (await import('./file-drop.js')).setUpFileDrop(form, uploads));
  const load = () => dropping().catch(() => {});
  // A drag goes on for a while before its drop.
  for (const type of ['dragover', 'drop']) addEventListener(type, load);
  if (droppedFiles.length) load();
}
