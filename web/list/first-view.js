// The first thing that the home page runs: shows the cards of the list before the modules of the page are there,
// which takes a tenth of the time. The cards come from the list as it was left, or from the server.

import { createLinkRow, createRowGroup, renderCard } from './card.js';
import { keptLinks } from './kept-list.js';
// The page of the browser extension does not load it by itself.
import './early-requests.js';
import { parseRoute } from './route.js';
import { earlyRows, linkWithDetails, listPath, PAGE_SIZE } from '../shared/links/link-requests.js';
import { holdInput } from '../shared/ui/held-input.js';
import { painted } from '../shared/ui/painted.js';
import { loadStylesOf } from '../shared/ui/styles.js';

/** No card is lower, so that as many as fit on the screen are shown. */
const CARD_HEIGHT_PX = 90;

/** Keys that do something when no field has the focus; see `shortcuts.js`. */
const KEYS = /^([jkosamxz./?]|Arrow(Up|Down)|Escape)$/;

async function start() {
  const session = JSON.parse(localStorage.getItem('session'));
  const release = holdInput(document, isForModules, loadModules);
  const { linkId, list } = parseRoute(location.hash);
  if (session && linkId) {
    loadStylesOf('reader-styles');
    import('../reader/reader.js').catch(() => {});
  } else if (session && list && !location.search) {
    await showList(session, list);
  }
  loadStylesOf('list-styles');
  await release();
}

async function showList(session, list) {
  const links = keptLinks(session, list) ?? (await earlyRows(listPath(list, PAGE_SIZE)))?.map(linkWithDetails);
  // The fragment may have changed.
  if (!links || parseRoute(location.hash).list !== list) return;
  const group = createRowGroup();
  for (const link of links.slice(0, Math.ceil(innerHeight / CARD_HEIGHT_PX))) {
    const row = createLinkRow(link.id);
    renderCard(row, link);
    group.append(row);
  }
  document.getElementById('links').append(group);
  document.querySelector(`#bar [href="#/${list}"]`).ariaCurrent = 'page';
  for (const id of ['bar', 'list']) document.getElementById(id).hidden = false;
  await painted();
}

let loading;

async function loadModules() {
  loading ??= import('./main.js');
  await (await loading).started;
}

function isForModules({ type, target, key, ctrlKey, metaKey, altKey }) {
  if (type === 'keydown') {
    return KEYS.test(key) && !ctrlKey && !metaKey && !altKey && !target.matches('input, select, textarea');
  }
  return type === 'click' ? Boolean(target.closest('button, [type=checkbox]')) : true;
}

start();
