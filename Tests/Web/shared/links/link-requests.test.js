import assert from 'node:assert/strict';
import { test } from 'node:test';

import { serverURL } from '../../../../web/shared/api/server.js';
import { linkWithDetails, listPath, sendEarly, takeEarlyRows } from '../../../../web/shared/links/link-requests.js';

const row = {
  id: '1',
  title: 'One',
  link_pictures: [
    { kind: 'preview', state: 'kept', pictures: { address: 'ab/cd.webp' } },
    { kind: 'icon', state: 'failed', pictures: null },
  ],
  tags: [{ id: 't2', name: 'b' }, { id: 't1', name: 'a' }],
  highlights: [{ count: 3 }],
  reading_progress: [{ percentage_complete: 0.2 }, { percentage_complete: 0.4 }],
};

test('a row with what belongs to it becomes a link as cards show it', () => {
  assert.deepEqual(linkWithDetails(row), {
    id: '1',
    title: 'One',
    pictures: { preview: serverURL('/pictures/ab/cd.webp') },
    tags: ['a', 'b'],
    tagIds: { a: 't1', b: 't2' },
    highlightCount: 3,
    progress: 0.4,
  });
});

test('the page after a link begins below it, at the same time by id', () => {
  const path = decodeURIComponent(listPath('archive', 50, { updated_at: '2026-01-01T00:00:00+00:00', id: '7' }));
  assert.match(path, /list=eq\.archive.*limit=50/);
  assert.match(path, /or=\(updated_at\.lt\.2026[^,]*,and\(updated_at\.eq\.2026[^,]*,id\.lt\.7\)\)$/);
});

test('an early response is given to one caller, and one that cannot be had early is left to the modules', async () => {
  const asked = [];
  globalThis.localStorage = { getItem: () => 'the key' };
  globalThis.fetch = async (path, { headers }) => {
    asked.push([path, headers.apikey, headers.Authorization]);
    return { ok: path.endsWith('links'), json: async () => [row] };
  };
  const session = { access: 'token', until: Date.now() + 3_600_000 };
  sendEarly(session, ['links', 'articles']);
  assert.deepEqual(asked[0], [serverURL('/rest/v1/links'), 'the key', 'Bearer token']);
  assert.deepEqual(await takeEarlyRows('links'), [row]);
  assert.equal(await takeEarlyRows('links'), undefined);
  assert.equal(await takeEarlyRows('articles'), null);

  sendEarly({ ...session, until: Date.now() + 1000 }, ['links']);
  globalThis.localStorage = { getItem: () => null };
  sendEarly(session, ['links']);
  assert.equal(asked.length, 2);
});
