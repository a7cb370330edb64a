// What the list offers beyond its rows: selecting, filing, the sidebar, and finding.

import { chooseFolder } from './folder-dialog.js';
import { LinkDialog } from './link-dialog.js';
import { ListTools } from './list-tools.js';
import { routeQuery } from './query-text.js';
import { parseRoute } from './route.js';
import { setUpSuggestions } from './search-suggestions.js';
import { SelectionBar } from './selection-bar.js';
import { showShelf } from './shelf.js';
import { Sidebar } from './sidebar.js';
import { setUpSwipes } from './swipe.js';
import { Trash } from './trash.js';

const element = (id) => document.getElementById(id);

/**
 * Sets up the features of the list.
 * @param {object} page
 * @param {import('./link-list.js').LinkList} page.list
 * @param {import('../shared/links/link-store.js').LinkStore} page.store
 * @param {import('./link-actions.js').LinkActions} page.actions
 * @returns {{selection: SelectionBar, trash: Trash, onListShown: () => void,
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
    chooseFolder: (kind, title) => chooseFolder(element('choose'), kind, title),
  });
  const tools = new ListTools(element('list-tools'), {
    filters: element('filters'),
    help: element('search-help'),
    onSave: (text) => sidebar.edit('collections', { name: '', query: text }),
  });
  setUpSwipes(list.rows);
  setUpSuggestions(element('search').elements.q, element('suggestions'));
  const dialog = new LinkDialog(element('more'), {
    onFiled: (id) => {
      list.loadDetails([id]);
      sidebar.refresh();
    },
    onRetry: (link) => actions.run('retry', link),
  });
  return {
    selection,
    trash: new Trash(element('trash')),
    showMore: (link) => dialog.open(link),
    onListShown: () => {
      selection.clear();
      sidebar.showCurrent();
      tools.show(query(), !list.name);
      sidebar.refresh();
      showShelf(element('shelf'), list.name === 'read');
    },
  };
}
