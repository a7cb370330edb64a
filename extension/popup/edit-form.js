// The form of the popup. Each change is sent as it is made, since a popup closes without a warning.

import { ask } from '../shared/ask.js';
import { parseTagNames } from '../shared/tag-names.js';
import { t } from '../shared/words.js';

/** Milliseconds after the last key until a text is sent. */
const PAUSE_MS = 500;

const form = document.getElementById('edit');
const fields = form.elements;
const tagList = document.getElementById('tags');
const tagNames = document.getElementById('tag-names');

/** Whether the user has chosen a list, which no answer of the server replaces. */
let isListChosen = false;

/** Texts that are about to be sent, by the name of their field. */
const pending = new Map();

/**
 * @param {{key: string, linkId?: string, page: {url: string, title: string}}} saved what is changed; its values are
 *   set before the event `saved` of the form
 * @param {(error: Error) => void} onError
 */
export function setUpForm(saved, onError) {
  const send = (...changes) => ask('edit', { ...saved, changes }).catch(onError);
  form.onsubmit = (event) => event.preventDefault();
  form.addEventListener('saved', () => fill(saved));

  textField('title', (text) => text && send({ kind: 'link', values: { title: text } }));
  textField('note', (text) => send({ kind: 'note', body: text }));
  addEventListener('pagehide', sendPending);

  for (const radio of fields.list) {
    radio.onchange = () => {
      isListChosen = true;
      send({ kind: 'link', values: { list: radio.value } });
    };
  }
  let collection = '';
  fields.collection.onchange = () => {
    const { value } = fields.collection;
    send(
      ...(collection ? [{ kind: 'uncollect', name: collection }] : []),
      ...(value ? [{ kind: 'collection', name: value }] : []),
    );
    collection = value;
  };
  form.addEventListener('filled', () => { collection = fields.collection.value; });

  const addTags = () => {
    const names = parseTagNames(fields.tag.value).filter((name) => !isShown(name));
    fields.tag.value = '';
    if (!names.length) return;
    names.forEach((name) => showTag(name, send));
    send(...names.map((name) => ({ kind: 'tag', name })));
  };
  fields.tag.onkeydown = (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    addTags();
  };
  fields.tag.onchange = addTags;
  fields.tag.oninput = (event) => {
    if (event.data === ',' || event.inputType === 'insertReplacementText') addTags();
    else later('suggestions', suggest);
  };
  // The user may have added a tag before the others were known.
  form.addEventListener('filled', ({ detail }) => {
    for (const name of detail.tags) if (!isShown(name)) showTag(name, send);
  });
}

async function fill({ linkId, page }) {
  fields.title.value = page.title;
  const folders = await ask('folders', { linkId }).catch(() => null);
  if (!folders) return;
  const names = folders.collections.map((name) => new Option(name, name));
  fields.collection.replaceChildren(new Option(t('None'), ''), ...names);
  fields.collection.value = folders.inCollections.find((name) => folders.collections.includes(name)) ?? '';
  if (document.activeElement !== fields.title && folders.title) fields.title.value = folders.title;
  if (document.activeElement !== fields.note) fields.note.value = folders.note;
  if (!isListChosen) fields.list.value = folders.list;
  form.dispatchEvent(new CustomEvent('filled', { detail: folders }));
}

function textField(name, send) {
  fields[name].addEventListener('input', () => later(name, () => send(fields[name].value.trim())));
}

function later(name, work) {
  clearTimeout(pending.get(name)?.timer);
  const timer = setTimeout(() => {
    pending.delete(name);
    work();
  }, PAUSE_MS);
  pending.set(name, { timer, work });
}

function sendPending() {
  for (const { timer, work } of pending.values()) {
    clearTimeout(timer);
    work();
  }
  pending.clear();
}

async function suggest() {
  const prefix = fields.tag.value.trim().replace(/^#/, '');
  if (!prefix) return;
  const found = await ask('suggest', { prefix }).catch(() => ({ tags: [] }));
  tagNames.replaceChildren(...found.tags.map((name) => new Option(name, name)));
}

function isShown(name) {
  return [...tagList.children].some((item) => item.dataset.name.toLowerCase() === name.toLowerCase());
}

function showTag(name, send) {
  const item = document.createElement('li');
  item.dataset.name = name;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = `${name} ×`;
  button.setAttribute('aria-label', t('Remove tag {name}', { name }));
  button.onclick = () => {
    item.remove();
    send({ kind: 'untag', name });
    fields.tag.focus();
  };
  item.append(button);
  tagList.append(item);
}
