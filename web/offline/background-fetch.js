// Fetches in the background what is kept for use without a network: the newest unread links, their articles and
// pictures. Copies of what the server no longer has are removed.

import { isOffline } from '../shared/api/connection.js';
import { isElsewhere, serverURL } from '../shared/api/server.js';
import { currentSession, restRequest } from '../shared/api/session.js';
import { DETAILS, linkWithDetails, SELECT } from '../shared/links/link-requests.js';
import { fetchLinksById } from '../shared/links/links-api.js';
import {
  allCopiedArticles, allCopiedLinks, keepArticle, keepLinks, removeArticles, removeCopies,
} from '../shared/offline/offline-copies.js';
import { MAX_CHARACTERS, offlineSettings } from '../shared/offline/offline-settings.js';
import { failure, MESSAGES } from '../shared/ui/messages.js';
import { beyondBounds, copiesToFetch } from './copy-bounds.js';

/** The page's own requests come first. */
const DELAY_MS = 700;

/** Everything is looked up again when a list is shown after this time. */
const FRESH_MS = 300_000;

/** The pauses after attempts that failed. */
const RETRY_MS = [5_000, 20_000, 60_000];

/** Articles in one request, and pictures at the same time. */
const ARTICLES_AT_ONCE = 5;
const PICTURES_AT_ONCE = 3;

/** Fewer than the service worker stores, so that fetching ahead never removes what was fetched ahead. */
const MAX_PICTURES = 1000;

/** Ids in one request. */
const CHUNK = 100;

const PICTURE_COLUMNS = 'link_id,source,state,message,pictures(address,width,height)';

let timer;
let fetchedAt = -Infinity;
let failures = 0;

/**
 * Fetches soon, unless that was done a short while ago.
 * @param {{isStale?: boolean}} [options] whether what was fetched before does not count
 */
export function fetchCopiesSoon({ isStale = false } = {}) {
  if (isStale) fetchedAt = -Infinity;
  if (performance.now() - fetchedAt < FRESH_MS) return;
  failures = 0;
  fetchAfter(DELAY_MS);
}

function fetchAfter(pause) {
  clearTimeout(timer);
  timer = setTimeout(() => fetchCopies().catch(onFailure), pause);
}

function onFailure() {
  const pause = RETRY_MS[failures];
  failures += 1;
  if (isOffline()) fetchedAt = -Infinity;
  else if (pause) fetchAfter(pause);
}

/** Fetches what is missing or has changed. Other tabs leave it to the one that has begun. */
async function fetchCopies() {
  if (isOffline() || !currentSession() || navigator.connection?.saveData) return;
  if (!navigator.locks) await fetchAll();
  else await navigator.locks.request('fetching-copies', { ifAvailable: true }, (lock) => lock && fetchAll());
}

async function fetchAll() {
  fetchedAt = performance.now();
  const { articles: wanted, pictures } = offlineSettings();
  const rows = wanted ? await fetchNewestUnread(wanted) : [];
  await keepLinks(rows.map(copyOfRow));
  await removeVanished(rows);
  const kept = await allCopiedArticles();
  const missing = copiesToFetch(rows, kept);
  let characters = kept.reduce((sum, { article }) => sum + (article?.length ?? 0), 0);
  for (let start = 0; start < missing.length && characters < MAX_CHARACTERS; start += ARTICLES_AT_ONCE) {
    const fetched = await fetchArticles(missing.slice(start, start + ARTICLES_AT_ONCE));
    for (const copy of fetched) {
      await keepArticle(copy);
      characters += copy.article?.length ?? 0;
    }
  }
  const unread = new Set(rows.map(({ id }) => id));
  const copies = await allCopiedArticles();
  const { links, articles } = beyondBounds(await allCopiedLinks(), copies, unread);
  await removeCopies(links);
  await removeArticles(articles);
  if (pictures) await fetchPictures([...rows.flatMap(cardPictures), ...articlePictures(rows, copies)]);
}

function fetchNewestUnread(limit) {
  const embedded = `${DETAILS},articles(extracted_at)`;
  const filter = 'list=eq.read&status=eq.unread&order=updated_at.desc.nullslast,id.desc';
  return restRequest(`links?${SELECT},${embedded}&${filter}&limit=${limit}`);
}

function copyOfRow({ articles, ...row }) {
  return linkWithDetails(row);
}

// Deleted links, and links that have changed on other devices.
async function removeVanished(rows) {
  const fetched = new Set(rows.map(({ id }) => id));
  const others = (await allCopiedLinks()).filter(({ id, state }) => !fetched.has(id) && state !== 'waiting');
  for (let start = 0; start < others.length; start += CHUNK) {
    const ids = others.slice(start, start + CHUNK).map(({ id }) => id);
    const found = await fetchLinksById(ids);
    await keepLinks(found);
    const foundIds = new Set(found.map(({ id }) => id));
    await removeCopies(ids.filter((id) => !foundIds.has(id)));
  }
}

async function fetchArticles(ids) {
  const filter = `link_id=in.(${ids})`;
  const [articles, pictures] = await Promise.all([
    restRequest(`articles?${filter}`),
    restRequest(`link_pictures?${filter}&kind=eq.article&select=${PICTURE_COLUMNS}&order=position&limit=1000`),
  ]);
  return articles.map((article) => ({
    id: article.link_id,
    article,
    pictures: pictures.filter(({ link_id }) => link_id === article.link_id),
  }));
}

function cardPictures(row) {
  return Object.values(linkWithDetails(row).pictures).map((path) => path.replace(/^.*\/pictures\//, ''));
}

// Those of the newest articles first.
function articlePictures(rows, copies) {
  const pictures = new Map(copies.map((copy) => [copy.id, copy.pictures]));
  return rows.flatMap(({ id }) => pictures.get(id) ?? []).map((row) => row.pictures?.address);
}

// The service worker keeps what passes through it. The page of the extension has none: there the browser's own cache
// keeps pictures, since they never change under their addresses.
async function fetchPictures(addresses) {
  if (!isElsewhere() && !navigator.serviceWorker?.controller) return;
  const wanted = [...new Set(addresses.filter(Boolean))].slice(0, MAX_PICTURES);
  const waiting = wanted.map((address) => serverURL(`/pictures/${address}`));
  let isComplete = true;
  const fetchNext = async () => {
    for (let path = waiting.shift(); path && !isOffline(); path = waiting.shift()) {
      if (!await (isElsewhere() ? loadOnce(path) : storeOnce(path))) isComplete = false;
    }
  };
  await Promise.all(Array.from({ length: PICTURES_AT_ONCE }, fetchNext));
  if (!isComplete) throw failure(MESSAGES.noResponse);
}

/** @returns {Promise<boolean>} false if it may succeed later */
async function storeOnce(path) {
  if (await caches.match(path)) return true;
  const response = await fetch(path).catch(() => null);
  await response?.body?.cancel();
  return Boolean(response) && response.status < 500;
}

/** What this page has loaded into the browser's cache. */
const loaded = new Set();

/** @returns {Promise<boolean>} whether it is there */
async function loadOnce(path) {
  if (loaded.has(path)) return true;
  const image = Object.assign(new Image(), { src: path });
  const isThere = await image.decode().then(() => true, () => false);
  if (isThere) loaded.add(path);
  return isThere;
}
