import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LinkStore } from '../../../../web/shared/links/link-store.js';

/** A promise with what settles it; `Promise.withResolvers` is too new for Node 20. */
function deferred() {
  let resolve;
  const promise = new Promise((settle) => { resolve = settle; });
  return { promise, resolve };
}

/** A store with one unread link, and what its subscribers were told of its status and star. */
function storeOfOneLink() {
  const store = new LinkStore();
  const link = store.merge({ id: '1', title: 'One', status: 'unread', is_starred: false, updated_at: '1' });
  const shown = [];
  store.onChange(({ status, is_starred: isStarred }) => shown.push(isStarred ? `${status}, starred` : status));
  return { store, link, shown };
}

test('a change is shown at once and stays while older states of the link arrive', async () => {
  const { store, link, shown } = storeOfOneLink();
  const { promise, resolve } = deferred();
  const done = store.changeUntil(link, { status: 'read' }, promise);
  store.merge({ id: '1', title: 'New title', status: 'unread', updated_at: '2' });
  resolve({ id: '1', status: 'read', updated_at: '3' });
  assert.equal((await done).status, 'read');
  assert.deepEqual(shown, ['read', 'read', 'read']);
  assert.equal(store.get('1').title, 'New title');
});

test('the later of two changes of a link is shown in whatever order they are answered', async () => {
  for (const order of [[0, 1], [1, 0]]) {
    const { store, link, shown } = storeOfOneLink();
    const answers = [deferred(), deferred()];
    const stored = [{ id: '1', status: 'read', updated_at: '2' }, { id: '1', status: 'unread', updated_at: '3' }];
    const done = stored.map(({ status }, index) => store.changeUntil(link, { status }, answers[index].promise));
    for (const index of order) {
      answers[index].resolve(stored[index]);
      await done[index];
    }
    assert.deepEqual(shown, ['read', 'unread', 'unread', 'unread']);
    assert.equal(store.get('1'), link);
  }
});

test('changes that the server refuses are taken back, others stay', async () => {
  const { store, link, shown } = storeOfOneLink();
  const refused = store.changeUntil(link, { status: 'read' }, Promise.reject(Error('No.')));
  const kept = store.changeUntil(link, { is_starred: true }, Promise.resolve(undefined));
  await assert.rejects(refused, { message: 'No.' });
  assert.equal(await kept, undefined);
  assert.deepEqual(shown, ['read', 'read, starred', 'unread, starred', 'unread']);
});
