import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Autosave } from '../../../../web/reader/notes/autosave.js';

function autosave(save) {
  const states = [];
  return { states, text: new Autosave({ text: 'a', save, onState: (state) => states.push(state), pause: 60_000 }) };
}

test('a text is saved once, and undo saves the one before', async () => {
  const saved = [];
  const { text, states } = autosave(async (each) => saved.push(each));
  text.change('ab');
  await Promise.all([text.flush(), text.flush()]);
  assert.deepEqual([saved, text.isDirty, text.canUndo], [['ab'], false, true]);
  assert.equal(await text.undo(), 'a');
  assert.deepEqual([saved, text.canUndo], [['ab', 'a'], false]);
  assert.deepEqual(states, ['changed', 'saving', 'saved', 'saving', 'saved']);
});

test('a failure keeps the text for the next attempt', async () => {
  let isDown = true;
  const saved = [];
  const { text, states } = autosave(async (each) => {
    if (isDown) throw Error();
    saved.push(each);
  });
  text.change('ab');
  await text.flush();
  assert.deepEqual([states.at(-1), text.isDirty, text.canUndo], ['failed', true, false]);
  isDown = false;
  await text.flush();
  assert.deepEqual([saved, text.isDirty], [['ab'], false]);
});

test('a text that was saved elsewhere is not saved again, and undo does not lead back behind it', async () => {
  const saved = [];
  const { text } = autosave(async (each) => saved.push(each));
  text.change('ab');
  assert.equal(text.isIdle, false);
  await text.flush();
  assert.equal(text.isIdle, true);
  text.accept('c');
  await text.flush();
  assert.deepEqual([saved, text.isDirty, text.canUndo], [['ab'], false, false]);
});
