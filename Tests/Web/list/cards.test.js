import assert from 'node:assert/strict';
import { test } from 'node:test';

import { collectionTree } from '../../../web/list/collection-tree.js';
import { snippetParts } from '../../../web/list/snippet.js';
import { swipeAction } from '../../../web/list/swipe.js';

test('a swipe runs its action after a third of the card, and none before', () => {
  const options = { shelf: true, right: 'archive', left: 'delete' };
  assert.equal(swipeAction(120, 300, options), 'archive');
  assert.equal(swipeAction(-120, 300, options), 'delete');
  assert.equal(swipeAction(-120, 300, { ...options, left: '' }), '');
  assert.equal(swipeAction(60, 300, options), '');
  assert.equal(swipeAction(-60, 300, options), '');
  // A tap on a card that is not shown any more.
  assert.equal(swipeAction(0, 0, options), '');
});

test('a snippet is text and matches, whatever markup it holds', () => {
  assert.deepEqual(snippetParts('a <mark>b</mark> &lt;i&gt; &amp;amp;'), [
    { text: 'a ', isMatch: false },
    { text: 'b', isMatch: true },
    { text: ' <i> &amp;', isMatch: false },
  ]);
  assert.deepEqual(snippetParts('<img src=x>'), [{ text: '<img src=x>', isMatch: false }]);
});

test('collections follow those that hold them, and one whose parent is unknown is at the top', () => {
  const tree = collectionTree([
    { id: '2', name: 'Inner', parent_id: '1' },
    { id: '3', name: 'Lost', parent_id: 'gone' },
    { id: '1', name: 'Outer', parent_id: null },
  ]);
  assert.deepEqual(tree.map(({ name, depth }) => [name, depth]), [['Lost', 0], ['Outer', 0], ['Inner', 1]]);
});
