// The section of webhooks: addresses that are told what happens to the user's links.

import { errorText } from '../shared/api/error-texts.js';
import { restRequest } from '../shared/api/session.js';
import { onSubmit } from '../shared/forms/form.js';
import { t, textParts } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';
import { createElement, createFactsLine, createTime } from '../shared/ui/elements.js';
import { setUpListSection } from '../shared/ui/list-section.js';
import { showToast } from '../shared/ui/toast.js';
import { showSecret } from './secret-box.js';

const EVENTS = {
  saved: t('saved#event'),
  ready: t('ready to read'),
  archived: t('archived#event'),
  starred: t('starred#event'),
  highlighted: t('highlighted'),
};

/** Shows the section. */
export function showWebhooks() {
  const form = document.getElementById('add-webhook');
  const refresh = setUpListSection(document.getElementById('webhooks'), loadWebhooks, (hook) =>
    createRow(hook, () => refresh()));
  onSubmit(form, async ({ url }) => {
    const events = [...form.querySelectorAll('[name=event]:checked')].map(({ value }) => value);
    if (!events.length) throw Object.assign(new Error(t('Choose at least one event.')), { field: 'url' });
    if (!/^https?:\/\/\S+$/i.test(url.trim())) {
      throw Object.assign(new Error(t('Enter an address that begins with https://.')), { field: 'url' });
    }
    const { secret } = await restRequest('rpc/add_webhook', { method: 'POST', body: { url: url.trim(), events } });
    form.closest('details').open = false;
    showSecret(document.getElementById('new-webhook'), secret, document.getElementById('webhook-kept'));
    await refresh();
  });
}

// Each with its newest delivery.
async function loadWebhooks() {
  const [hooks, deliveries] = await Promise.all([
    restRequest('webhooks?order=created_at'),
    restRequest('webhook_deliveries?state=neq.waiting&order=created_at.desc&limit=100'),
  ]);
  return hooks.map((hook) => ({ ...hook, last: deliveries.find(({ webhook_id }) => webhook_id === hook.id) }));
}

function createRow({ id, url, events, last }, refresh) {
  return createElement('li', {},
    createElement('div', {},
      createElement('p', { className: 'head', dir: 'ltr' }, url),
      createFactsLine(...events.map((event) => EVENTS[event] ?? event)),
      last && createFactsLine(describe(last))),
    createElement('button', {
      textContent: t('Delete'), ariaLabel: t('Delete {title}', { title: url }),
      onclick: busyWhile(async () => {
        const details = t('Nothing is sent to it from then on.');
        if (!await confirmAction(t('Delete “{title}”?', { title: url }), details, t('Delete'))) return;
        await restRequest(`webhooks?id=eq.${id}`, { method: 'DELETE' });
        await refresh();
        showToast(t('The webhook is deleted.'));
      }),
    }));
}

function describe({ state, reason, created_at }) {
  const time = createTime(created_at);
  return createElement('span', {}, ...state === 'sent'
    ? textParts('last sent {time}', { time })
    : textParts('given up {time}: {reason}', { time, reason: errorText(reason) }));
}
