// The home page at `/`: sign-in, the lists To Read and Archive, search, and the reader. Data of users and pages becomes
// text nodes, never markup; the one exception is the article, which arrives as sanitised HTML and is sanitised again.

import { currentSession, reloadWhenUserChanges } from '../shared/api/session.js';
import { LinkStore } from '../shared/links/link-store.js';
import { t } from '../shared/locale/translate.js';
import { takeFlashMessage } from '../shared/ui/flash-message.js';
import { loadStylesOf } from '../shared/ui/styles.js';
import { showNews } from '../shared/ui/toast.js';
import { LazyReader } from '../reader/lazy-reader.js';
import { BackgroundWork, textSettings } from './background-work.js';
import { keepLinks, keptLinks } from './kept-list.js';
import { once } from './lazy-parts.js';
import { LinkActions } from './link-actions.js';
import { LinkList } from './link-list.js';
import { createActionButtons } from './card.js';
import { setUpListFeatures } from './list-features.js';
import { PendingDeletions } from './pending-deletions.js';
import { PendingPoller } from './pending-poller.js';
import { listOfQuery } from './query-text.js';
import { parseRoute, searchHash } from './route.js';
import { setUpSearchForm } from './search-form.js';
import { setUpShortcuts } from './shortcuts.js';

/** Delays before the first poll for news of pending links: after a list was loaded, and after one link changed. */
const POLL_AFTER_LOADING_MS = 2000;
const POLL_AFTER_CHANGE_MS = 1000;

const element = (id) => document.getElementById(id);
const header = element('bar');
const backLink = element('back');
const searchForm = element('search');
const sections = Object.fromEntries(['sign-in', 'list', 'trash', 'reader'].map((name) => [name, element(name)]));
const tab = (name) => header.querySelector(`[href="#/${name}"]`);

const store = new LinkStore();
const deletions = new PendingDeletions(store);
const poller = new PendingPoller(store, {
  onFinished: (link) => tell((to) => to.onFinished(link)),
  onVanished: (id) => tell((to) => to.onVanished(id)),
});
const pollSoon = () => poller.start(POLL_AFTER_CHANGE_MS);
const list = new LinkList(sections.list, {
  store,
  isDeleted: (id) => deletions.has(id),
  emptyMessage: (name) => (name ? tab(name) : searchForm).dataset.empty,
  onLoaded: () => {
    poller.start(POLL_AFTER_LOADING_MS);
    background.onListLoaded();
  },
});
const article = new LazyReader(sections.reader, {
  store,
  textSettings,
  tagDialog: element('more'),
  onOpened: () => {
    pollSoon();
    background.onShown();
  },
  onUnmerged: (links) => tell((to) => to.onUnmerged(links)),
  onTagsChanged: (id) => list.loadDetails([id]),
  listedLinks: () => list.ids.map((id) => store.get(id)).filter(Boolean),
  archive: ({ id }) => store.get(id)?.list === 'read' && actions.run('archive', store.get(id)),
  list,
});
const background = new BackgroundWork({
  store, list, article, poller,
  onFoldersChanged: () => features.refreshFolders(),
});
const news = once(async () => {
  const { LinkNews } = await import('./link-news.js');
  return new LinkNews({ store, list, article, pollSoon });
});
const tell = (work) => news().then(work).catch(() => {});
const listTitle = (name) => tab(name).textContent;
const actions = new LinkActions({ store, list, deletions, listTitle, onRetry: pollSoon });
const features = setUpListFeatures({ list, store, actions, news, firstView: background.firstView });

// Navigation. The fragment of the URL names the list or the link, so that Back and Reload work.

function showSection(name) {
  for (const [each, section] of Object.entries(sections)) section.hidden = each !== name;
  header.hidden = name === 'sign-in';
  if (['sign-in', 'trash'].includes(name)) background.onShown();
  const current = name === 'list' && tab(list.name ?? listOfQuery(parseRoute(location.hash).query));
  for (const link of header.querySelectorAll('a')) link.ariaCurrent = link === current ? 'page' : null;
}

function showRoute() {
  list.rememberScroll();
  if (!currentSession()) {
    showSection('sign-in');
    return;
  }
  background.startForUser();
  const route = parseRoute(location.hash);
  if (route.linkId) openArticle(route.linkId);
  else if (route.isTrash) openTrash();
  else openList(route);
}

function openArticle(id) {
  showSection('reader');
  article.open(id);
}

function openTrash() {
  article.close();
  document.title = t('Trash');
  showSection('trash');
  features.openTrash(deletions.commitAll());
}

function openList(route) {
  const { list: name, query } = route;
  const title = query ? t('Search: {query}', { query }) : listTitle(name);
  const lastOpened = article.linkId;
  article.close();
  element('name').textContent = document.title = title;
  backLink.hash = query ? searchHash(query) : `#/${name}`;
  const focused = document.activeElement;
  const isTyping = focused === searchForm.elements.q;
  // The user may have begun with the first cards.
  const isFirst = list.isNew;
  const isReading = isFirst && list.rows.contains(focused);
  if (!isTyping) searchForm.elements.q.value = query ?? '';
  const mayBeOld = list.select(route);
  // The cards of the first view can be used at once.
  const first = isFirst ? keptLinks(currentSession(), name) : undefined;
  for (const link of first ?? []) if (list.row(link.id)) store.merge(link);
  showSection('list');
  list.showSelected({ focusedId: lastOpened, keepsFocus: isTyping || isReading });
  features.onListShown();
  if (mayBeOld) background.catchUp();
}

// Actions on a link, by button or by key.

/**
 * @param {string} name a `data-do` value
 * @param {Element | null} root a row of the list, or the reader
 */
function act(name, root) {
  const isReader = root === sections.reader;
  const link = store.get(isReader ? article.linkId : root?.dataset.id);
  const neighbour = list.neighbour(root, 1) ?? list.neighbour(root, -1) ?? header;
  if (link && name === 'more') features.showMore(link);
  else if (link) actions.run(name, link);
  if (root?.hidden) neighbour.querySelector('a').focus();
  if (isReader && (name === 'archive' || name === 'delete')) backLink.click();
}

function onClick(event) {
  const button = event.target.closest('[data-do]');
  if (button) act(button.dataset.do, button.closest('[data-id], #reader'));
}

async function onSignOut() {
  const { sendAndSignOut } = await import('../offline/sign-out.js');
  await deletions.commitAll();
  await sendAndSignOut();
}

async function showSignIn() {
  const [{ setUpSignInSection }] = await Promise.all([import('./sign-in-section.js'), loadStylesOf('sign-in-styles')]);
  setUpSignInSection(sections['sign-in'], showRoute);
}

async function start() {
  sections.reader.querySelector('.tools').append(createActionButtons());
  setUpSearchForm(searchForm);
  setUpShortcuts({
    header, sections, list, backLink, act,
    help: element('help'), selection: features.selection, urlField: element('save').elements.url,
  });
  element('keys').onclick = () => element('help').showModal();
  element('logout').onclick = onSignOut;
  document.onclick = onClick;
  addEventListener('hashchange', showRoute);
  addEventListener('scroll', () => list.loadIfNearEnd(), { passive: true });
  addEventListener('pagehide', () => {
    deletions.sendAllOnLeave();
    keepLinks(currentSession(), list);
  });
  // When going back, the browser would scroll the article that is being left, and so change how far it was read.
  history.scrollRestoration = 'manual';
  // What the user is about to open.
  for (const type of ['pointerover', 'focusin']) {
    list.rows.addEventListener(type, () => article.load().catch(() => {}), { once: true });
  }
  reloadWhenUserChanges();
  if (!currentSession()) await showSignIn();
  else showNews(takeFlashMessage());
  showRoute();
  background.start();
}

/** Resolves when the page answers the user. */
export const started = start();
