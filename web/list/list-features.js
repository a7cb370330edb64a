// What the list offers beyond its rows: selecting, filing, the sidebar, and finding.

import { ListTools } from './list-tools.js';
import { routeQuery } from './query-text.js';
import { parseRoute } from './route.js';
import { setUpSuggestions } from './search-suggestions.js';
import { SelectionBar } from './selection-bar.js';
import { showShelf } from './shelf.js';
import { Sidebar } from './sidebar.js';
import { setUpSwipes } from './swipe.js';

const element = (id) => document.getElementById(id);

/**
 * Sets up the features of the list.
 * @param {object} page
 * @param {import('./link-list.js').LinkList} page.list
 * @param {import('../shared/links/link-store.js').LinkStore} page.store
 * @param {import('./link-actions.js').LinkActions} page.actions
 * @returns {{selection: SelectionBar, openTrash: () => void, onListShown: () => void,
 *   showMore: (link: import('../shared/links/link-text.js').Link) => void}}
 */
export function setUpListFeatures({ list, store, actions }) {
  const query = () => routeQuery(parseRoute(location.hash));
  const sidebar = new Sidebar(element('sidebar'), {
    toggle: element('sidebar-toggle'),
    dialog: element('folder'),
    onChanged: () => list.reload(),
  });
  const selection = new SelectionBar(element('selection'), {
    list,
    store,
    query,
    onChanged: () => sidebar.refresh(),
    chooseFolder: async (kind, title) => {
      const { chooseFolder } = await import('./folder-dialog.js');
      return chooseFolder(element('choose'), kind, title);
    },
  });
  const tools = new ListTools(element('list-tools'), {
    filters: element('filters'),
    help: element('search-help'),
    onSave: (text) => sidebar.edit('collections', { name: '', query: text }),
  });
  setUpSwipes(list.rows);
  setUpSuggestions(element('search').elements.q, element('suggestions'));
  // Loaded when they are opened first.
  const linkDialog = once(async () => {
    const { LinkDialog } = await import('./link-dialog.js');
    return new LinkDialog(element('more'), {
      onFiled: (id) => {
        list.loadDetails([id]);
        sidebar.refresh();
      },
      onRetry: (link) => actions.run('retry', link),
    });
  });
  const trash = once(async () => {
    const { Trash } = await import('./trash.js');
    return new Trash(element('trash'));
  });
  return {
    selection,
    openTrash: async () => (await trash()).open(),
    showMore: async (link) => (await linkDialog()).open(link),
    onListShown: () => {
      selection.clear();
      sidebar.showCurrent();
      tools.show(query(), !list.name);
      sidebar.refresh();
      showShelf(element('shelf'), list.name === 'read');
    },
  };
}

// Makes a part on its first use.
function once(make) {
  let part;
  return () => {
    part ??= make();
    return part;
  };
}
