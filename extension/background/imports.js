// Imports the reading list and the bookmarks of the browser. The options page asks for the permission first.

import { parseFolders } from '../shared/bookmark-folders.js';
import { importText } from '../shared/texts.js';
import { rest } from './server.js';
import { note } from './storage.js';

/** Links in one request, and addresses that are asked for at once. */
const BATCH = 100;

const HEADERS = {
  Prefer: 'return=representation,resolution=merge-duplicates,missing=default',
  'X-Lectern-Intent': 'import',
};

/** @returns {Promise<string>} what was imported */
export async function importReadingList() {
  const entries = await chrome.readingList.query({});
  const rows = entries.filter(({ url }) => isWeb(url)).map(({ url, title, hasBeenRead, creationTime }) => ({
    raw_url: url, title, status: hasBeenRead ? 'read' : 'unread', list: 'read', created_at: dateOf(creationTime),
  }));
  const known = await countSaved(rows);
  await insert(rows);
  return report(rows, known);
}

/** @returns {Promise<{id: string, path: string, count: number}[]>} folders that hold bookmarks */
export async function listBookmarkFolders() {
  return parseFolders(await chrome.bookmarks.getTree()).map(({ id, path, bookmarks }) => (
    { id, path, count: bookmarks.length }));
}

/**
 * Imports folders of bookmarks. Each becomes a collection of its name.
 * @param {string[]} ids of folders
 * @returns {Promise<string>} what was imported
 */
export async function importBookmarks(ids) {
  const folders = parseFolders(await chrome.bookmarks.getTree()).filter(({ id }) => ids.includes(id));
  const filled = folders.map(({ name, bookmarks }) => ({ name, rows: rowsOf(bookmarks) }));
  const all = filled.flatMap(({ rows }) => rows);
  const known = await countSaved(all);
  for (const { name, rows } of filled) await collect(name, await insert(rows));
  return report(all, known);
}

function rowsOf(bookmarks) {
  return bookmarks.filter(({ url }) => isWeb(url)).map(({ url, title, dateAdded }) => (
    { raw_url: url, title, status: 'unread', list: 'read', created_at: dateOf(dateAdded) }));
}

function urlsOf(rows) {
  return [...new Set(rows.map(({ raw_url: url }) => url))];
}

async function countSaved(rows) {
  const urls = urlsOf(rows);
  let count = 0;
  for (let first = 0; first < urls.length; first += BATCH) {
    const saved = await rest('rpc/saved', { method: 'POST', body: { urls: urls.slice(first, first + BATCH) } })
      .catch((error) => {
        if (error.kind !== 'missing') throw error;
        return [];
      });
    count += new Set(saved.map(({ url }) => url)).size;
  }
  return count;
}

async function insert(rows) {
  const links = [];
  for (let first = 0; first < rows.length; first += BATCH) {
    links.push(...await rest('links?on_conflict=user_id,raw_url&select=id', {
      method: 'POST', body: rows.slice(first, first + BATCH), headers: HEADERS,
    }));
  }
  return links;
}

async function collect(name, links) {
  if (!links.length) return;
  const [known] = await rest(`collections?select=id&name=eq.${encodeURIComponent(name)}&parent_id=is.null&limit=1`);
  const [collection] = known ? [known] : await rest('collections?select=id', { method: 'POST', body: { name } });
  await rest('collection_links', {
    method: 'POST',
    body: links.map(({ id }) => ({ link_id: id, collection_id: collection.id })),
    headers: { Prefer: 'return=minimal,resolution=ignore-duplicates' },
  });
}

async function report(rows, known) {
  const text = importText(urlsOf(rows).length, known);
  await note(text);
  return text;
}

function isWeb(url) {
  return /^https?:/i.test(url ?? '');
}

// Dates in the future, or none at all, are the time of the import.
function dateOf(milliseconds) {
  const now = Date.now();
  return new Date(milliseconds > 0 && milliseconds < now ? milliseconds : now).toISOString();
}
