// Subscribing to a feed by its address, and subscriptions as OPML files.

import { restRequest } from '../shared/api/session.js';
import { onSubmit } from '../shared/forms/form.js';
import { subscribeToAll } from '../shared/imports/subscriptions.js';
import { parseURL } from '../shared/links/typed-url.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createElement } from '../shared/ui/elements.js';
import { refreshNow } from './polling.js';

/** @param {HTMLElement} section */
export function setUpFeedForms(section) {
  const form = section.querySelector('form');
  const details = form.closest('details');
  details.ontoggle = () => details.open && showCollections(form.elements.collection_id);
  onSubmit(form, async ({ url, tags, keep_words, skip_words, first_entries, list, collection_id }) => {
    await restRequest('feeds', {
      method: 'POST',
      body: {
        url: typedURL(url.trim()), tags: words(tags), keep_words: words(keep_words), skip_words: words(skip_words),
        first_entries: Number(first_entries), list, collection_id: collection_id || null,
      },
      headers: { Prefer: 'return=minimal' },
    }).catch((error) => {
      if (error.status !== 409) throw error;
      throw Object.assign(Error(t('You have this feed already.')), { field: 'url' });
    });
    details.open = false;
    await refreshNow();
  });
  setUpImport(document.getElementById('opml'), document.getElementById('opml-status'));
  document.getElementById('export-feeds').onclick = busyWhile(download);
}

/** Offers the collections that links are put into by hand. */
async function showCollections(field) {
  const collections = await restRequest('collections?query=is.null&select=id,name&order=name').catch(() => []);
  const chosen = field.value;
  field.replaceChildren(field.options[0], ...collections.map(({ id, name }) => new Option(name, id)));
  field.value = chosen;
  field.closest('label').hidden = collections.length === 0;
}

function typedURL(text) {
  try {
    return parseURL(text);
  } catch (error) {
    throw Object.assign(error, { field: 'url' });
  }
}

function words(text) {
  return text.split(/[,،]/).map((word) => word.trim()).filter(Boolean);
}

function setUpImport(field, status) {
  field.onchange = async () => {
    const [file] = field.files;
    if (!file) return;
    field.disabled = true;
    try {
      const sentences = await subscribeToAll(await file.text());
      status.className = 'hint';
      status.textContent = sentences.join(' ');
      await refreshNow();
    } catch (error) {
      status.className = 'error';
      status.textContent = error.message;
    } finally {
      field.disabled = false;
      field.value = '';
    }
  };
}

async function download() {
  const opml = await restRequest('rpc/export_feeds');
  const url = URL.createObjectURL(new Blob([opml], { type: 'text/x-opml' }));
  createElement('a', { href: url, download: 'feeds.opml' }).click();
  // The browser has opened the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
