// Subscribing to a feed by its address, and subscriptions as OPML files.

import { restRequest } from '../shared/api/session.js';
import { onSubmit } from '../shared/forms/form.js';
import { parseURL } from '../shared/links/typed-url.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createElement } from '../shared/ui/elements.js';
import { refreshNow } from './polling.js';

/** @param {HTMLElement} section */
export function setUpFeedForms(section) {
  const form = section.querySelector('form');
  onSubmit(form, async ({ url, tags, keep_words, skip_words, first_entries }) => {
    await restRequest('feeds', {
      method: 'POST',
      body: {
        url: typedURL(url.trim()), tags: words(tags), keep_words: words(keep_words), skip_words: words(skip_words),
        first_entries: Number(first_entries),
      },
      headers: { Prefer: 'return=minimal' },
    }).catch((error) => {
      if (error.status !== 409) throw error;
      throw Object.assign(Error(t('You have this feed already.')), { field: 'url' });
    });
    form.closest('details').open = false;
    await refreshNow();
  });
  setUpImport(document.getElementById('opml'), document.getElementById('opml-status'));
  document.getElementById('export-feeds').onclick = busyWhile(download);
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
      const { found, known, added } = await restRequest('rpc/import_feeds', {
        method: 'POST', body: { opml: await file.text() },
      });
      const rest = found - known - added;
      status.className = 'hint';
      status.textContent = [
        t('{n} feed added.|{n} feeds added.', { n: added }), known > 0 && t('{n} there already.', { n: known }),
        rest > 0 && t('{n} could not be added.', { n: rest }),
      ].filter(Boolean).join(' ');
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
