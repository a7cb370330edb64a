// Imported files: their rows on the server, and what a user can do with them.

import { errorText } from '../api/error-texts.js';
import { restRequest } from '../api/session.js';
import { t } from '../locale/translate.js';
import { createElement } from '../ui/elements.js';

/** The wait between two looks at an import grows to the second number. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2000;

/** Rows of one request. */
const PAGE_SIZE = 1000;

/** What the formats are called. Names of services are the same in every language. */
const NAMES = {
  'pocket-csv': 'Pocket', 'pocket-html': 'Pocket', instapaper: 'Instapaper', omnivore: 'Omnivore', wallabag: 'wallabag',
  readwise: 'Readwise', pinboard: 'Pinboard', raindrop: 'Raindrop', shaarli: 'Shaarli', matter: 'Matter',
  linkwarden: 'Linkwarden', karakeep: 'karakeep', linkding: 'linkding', chrome: 'Chrome', firefox: 'Firefox',
  opml: 'OPML', markdown: 'Markdown', lectern: 'Lectern',
};

/** @returns {string} the name of a format for the user */
export function formatName(format) {
  if (format === 'netscape') return t('Bookmarks');
  if (format === 'urls') return t('List of addresses');
  if (format === 'document') return t('Document');
  return NAMES[format] ?? format ?? '';
}

/**
 * Waits until the server has read a file, or saved its entries.
 * @param {string} id
 * @param {(row: object) => void} onProgress called with the row while the server is at work
 * @returns {Promise<object>} the row
 */
export async function awaitImport(id, onProgress) {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    const [row] = await restRequest(`imports?id=eq.${id}`);
    if (!row) throw Error(t('This file is no longer on the server.'));
    if (row.state !== 'reading') return row;
    onProgress(row);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** @param {'start_import' | 'cancel_import' | 'retry_import'} name */
export function changeImport(name, id) {
  return restRequest(`rpc/${name}`, { method: 'POST', body: { import: id } });
}

/** Lets the user save the table of entries that were not imported. */
export async function downloadRejects({ id, name }) {
  const field = (value) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const lines = ['row,url,reason\r\n'];
  for (let last = 0, rows; !rows || rows.length === PAGE_SIZE; last = rows.at(-1)?.row) {
    const query = `import_id=eq.${id}&row=gt.${last}&select=row,url,reason&order=row&limit=${PAGE_SIZE}`;
    rows = await restRequest(`import_rejects?${query}`);
    lines.push(...rows.map(({ row, url, reason }) => `${row},${field(url)},${field(errorText(reason))}\r\n`));
  }
  const url = URL.createObjectURL(new Blob(lines, { type: 'text/csv' }));
  createElement('a', { href: url, download: `${name}.rejects.csv` }).click();
  // The browser has opened the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The counts of an import as facts. */
export function describeCounts({ imported, duplicate, rejected }) {
  return [
    t('{n} imported', { n: imported }), duplicate > 0 && t('{n} already saved', { n: duplicate }),
    rejected > 0 && t('{n} not imported', { n: rejected }),
  ];
}
