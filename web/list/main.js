// The home page at `/`: sign-in, the lists To Read and Archive, search, and the reader. It is a client of the
// public API like any other. Data of users and pages becomes text nodes, never markup; the one exception is
// the article, which arrives as sanitised HTML and is sanitised again here.

import { currentSession, reloadWhenUserChanges, signOut } from '../shared/api/session.js';
import { setUpSignIn } from '../shared/forms/sign-in-form.js';
import { fetchLink } from '../shared/links/links-api.js';
import { LinkStore } from '../shared/links/link-store.js';
import { linkTitle } from '../shared/links/link-text.js';
import { takeFlashMessage } from '../shared/ui/flash-message.js';
import { showToast } from '../shared/ui/toast.js';
import { ArticleView } from '../reader/article-view.js';
import { focusFootnote, footnoteLink } from '../reader/footnotes.js';
import { LinkActions } from './link-actions.js';
import { LinkList } from './link-list.js';
import { createActionButtons } from './link-row.js';
import { LiveLinks } from './live-links.js';
import { PendingDeletions } from './pending-deletions.js';
import { PendingPoller } from './pending-poller.js';
import { parseRoute, searchHash } from './route.js';
import { setUpSaveForm } from './save-form.js';
import { setUpSearchForm } from './search-form.js';
import { setUpShortcuts } from './shortcuts.js';

/** Pages that send signed-out visitors here, by the name they give in `?next=`. */
const NEXT_PAGES = { account: '/account/', queue: '/queue/' };

/**
 * Delays before the first poll for news of pending links: after a list was loaded, and after one link
 * changed.
 */
const POLL_AFTER_LOADING_MS = 2000;
const POLL_AFTER_CHANGE_MS = 1000;

/** The worker stores pictures after the article; they are looked up this long after a link became ready. */
const PICTURES_DELAY_MS = 4000;

const element = (id) => document.getElementById(id);
const header = element('bar');
const backLink = element('back');
const searchForm = element('search');
const sections = { 'sign-in': element('sign-in'), list: element('list'), reader: element('reader') };
const tab = (name) => header.querySelector(`[href="#/${name}"]`);

const store = new LinkStore();
const deletions = new PendingDeletions(store);
const poller = new PendingPoller(store, { onFinished, onVanished: replaceMergedLink });
const pollSoon = () => poller.start(POLL_AFTER_CHANGE_MS);
const list = new LinkList(sections.list, {
  store,
  isDeleted: (id) => deletions.has(id),
  emptyMessage: (name) => (name ? tab(name) : searchForm).dataset.empty,
  onLoaded: () => poller.start(POLL_AFTER_LOADING_MS),
});
const article = new ArticleView(sections.reader, { store, onOpened: pollSoon, onUnmerged });
const liveLinks = new LiveLinks({ store, list, poller });
const actions = new LinkActions({
  store,
  list,
  deletions,
  listTitle: (name) => tab(name).textContent,
  onRetry: pollSoon,
});

// Navigation. The fragment of the URL names the list or the link, so that Back and Reload work.

function showSection(name) {
  for (const [each, section] of Object.entries(sections)) section.hidden = each !== name;
  header.hidden = name === 'sign-in';
  const current = name === 'list' && tab(list.name);
  for (const link of header.querySelectorAll('a')) link.ariaCurrent = link === current ? 'page' : null;
}

function showRoute() {
  list.rememberScroll();
  if (!currentSession()) {
    showSection('sign-in');
    return;
  }
  liveLinks.start();
  const route = parseRoute(location.hash);
  if (route.linkId) openArticle(route.linkId);
  else openList(route);
}

function openArticle(id) {
  showSection('reader');
  article.open(id);
}

function openList(route) {
  const { list: name, query } = route;
  const title = query ? `Search: ${query}` : tab(name).textContent;
  const lastOpened = article.linkId;
  article.close();
  element('name').textContent = title;
  document.title = title;
  backLink.hash = query ? searchHash(query) : `#/${name}`;
  searchForm.elements.q.value = query ?? '';
  list.select(route);
  showSection('list');
  list.showSelected(lastOpened);
}

// News of links.

function onFinished(link) {
  setTimeout(() => list.loadThumbnails([link.id]), PICTURES_DELAY_MS);
  if (link.id === article.linkId) openArticle(link.id);
  else showToast(`${link.state === 'ready' ? 'Ready' : 'Could not fetch'}: ${linkTitle(link)}`);
}

// A pending link that vanished was merged: the page it led to was saved before. The API answers with that
// older link.
async function replaceMergedLink(id) {
  const link = await fetchLink(id);
  store.remove(id);
  if (!link) return;
  showToast(`Already saved: ${linkTitle(link)}`);
  if (link.list === list.name) list.add(link, { atTop: true });
  if (article.linkId === id) location.replace(`#/link/${link.id}`);
}

function onUnmerged(links) {
  for (const link of links) if (link.list === list.name) list.add(link, { atTop: !list.row(link.id) });
  showToast('Split into two links again.');
  pollSoon();
  if (article.linkId) openArticle(article.linkId);
}

function onSaved(link) {
  if (list.name === 'read') {
    list.add(link, { atTop: true });
    pollSoon();
  } else {
    location.hash = '#/read';
  }
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
  if (link) actions.run(name, link);
  if (root?.hidden) neighbour.querySelector('a').focus();
  if (isReader && (name === 'archive' || name === 'delete')) backLink.click();
}

function onClick(event) {
  const footnote = footnoteLink(event.target);
  const button = event.target.closest('[data-do]');
  if (footnote) {
    // Following the link would replace the fragment that names the open link.
    event.preventDefault();
    focusFootnote(footnote);
  } else if (button) {
    act(button.dataset.do, button.closest('li, #reader'));
  }
}

async function onSignOut() {
  await deletions.commitAll();
  await signOut();
}

function start() {
  sections.reader.querySelector('.tools').append(createActionButtons());
  setUpSaveForm(element('save'), onSaved);
  setUpSearchForm(searchForm);
  setUpShortcuts({
    header,
    help: element('help'),
    sections,
    list,
    backLink,
    urlField: element('save').elements.url,
    act,
  });
  element('keys').onclick = () => element('help').showModal();
  element('logout').onclick = onSignOut;
  document.onclick = onClick;
  addEventListener('hashchange', showRoute);
  addEventListener('scroll', () => list.loadIfNearEnd(), { passive: true });
  addEventListener('pagehide', () => deletions.sendAllOnLeave());
  reloadWhenUserChanges();

  if (currentSession()) {
    const message = takeFlashMessage();
    if (message) showToast(message);
  } else {
    const next = NEXT_PAGES[new URLSearchParams(location.search).get('next')];
    setUpSignIn(sections['sign-in'], () => (next ? location.replace(next) : showRoute()));
  }
  showRoute();
}

start();
