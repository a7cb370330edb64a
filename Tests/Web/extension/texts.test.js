import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  importText, ownTitle, savedText, sourceText, tabsText,
} from '../../../extension/shared/texts.js';

const NOW = new Date('2026-11-25T12:00:00Z');
const OLD = { created_at: '2026-03-03T10:00:00Z', updated_at: '2026-11-25T11:00:00Z', status: 'read', list: 'read' };

test('a new link is saved', () => {
  assert.equal(savedText({ ...OLD, updated_at: OLD.created_at }, NOW, 'en-GB'), 'Saved.');
});

test('a link that was there says when it was saved, and whether it is read', () => {
  assert.equal(savedText(OLD, NOW, 'en-GB'), 'Saved on 3 March, read. Moved to the top.');
  const archived = { ...OLD, created_at: '2024-03-03T10:00:00Z', status: 'unread', list: 'archive' };
  assert.equal(savedText(archived, NOW, 'en-GB'), 'Saved on 3 March 2024, unread, in the archive. Moved to the top.');
});

test('a token that may only save is told that the page is saved', () => {
  assert.equal(savedText({ id: 'x', state: 'pending' }, NOW), 'Saved.');
});

test('a save that waits says so', () => {
  assert.match(savedText(null, NOW), /on this device/);
});

test('the page that became the article is named with the reason', () => {
  assert.equal(sourceText({ source: 'client', source_reason: 'longer' }),
    'The article comes from the page in your browser. The other version is shorter.');
  assert.equal(sourceText({ source: 'server', source_reason: null }),
    'The article comes from the page that the server fetched.');
});

test('all tabs are counted, with those that wait and those that the server refused', () => {
  assert.equal(tabsText(1, { waiting: 0, refused: 0 }), 'Saved 1 tab.');
  assert.equal(tabsText(12, { waiting: 1, refused: 2 }),
    'Saved 12 tabs. 1 of them waits until the server can be reached. The server refused 2 of them: see the options.');
});

test('a title that the browser has made from the address is not kept', () => {
  assert.equal(ownTitle('example.org/notes.txt', 'https://example.org/notes.txt'), '');
  assert.equal(ownTitle('Übersicht.pdf', 'https://example.org/%C3%9Cbersicht.pdf'), '');
  assert.equal(ownTitle('example.org', 'https://example.org/%ff'), '');
  assert.equal(ownTitle('example.org/notes', 'https://example.org/notes?page=2'), '');
  assert.equal(ownTitle('GitHub', 'https://github.com/'), 'GitHub');
  assert.equal(ownTitle('Notes of the day', 'https://example.org/notes.txt'), 'Notes of the day');
});

test('an import says how many links are new', () => {
  assert.equal(importText(0, 0), 'There is nothing to import.');
  assert.equal(importText(3, 1), 'Imported 2 new links. 1 was saved before.');
});
