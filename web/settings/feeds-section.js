// The section of feeds: makes a token with the addresses of all feeds, and revokes tokens.

import { passwordRequest } from '../account/password-request.js';
import { serverAddress } from '../shared/api/server.js';
import { authorizedRequest, restRequest } from '../shared/api/session.js';
import { onSubmit } from '../shared/forms/form.js';
import { t, textParts } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { copyText } from '../shared/ui/clipboard.js';
import { confirmAction } from '../shared/ui/confirm-dialog.js';
import { createElement, createFactsLine, createTime } from '../shared/ui/elements.js';
import { setUpListSection } from '../shared/ui/list-section.js';
import { showQRCode } from '../shared/ui/qr-dialog.js';
import { showToast } from '../shared/ui/toast.js';
import { feedLinks } from './feed-links.js';

const LISTS = [
  { kind: 'unread', label: t('Unread') },
  { kind: 'starred', label: t('Starred') },
  { kind: 'archive', label: t('Archive') },
];

/** @param {HTMLElement} section */
export function setUpFeeds(section) {
  const form = section.querySelector('form');
  const box = section.querySelector('.new-links');
  form.elements.name.defaultValue = t('Feed reader');
  const load = async () => (await authorizedRequest('/auth/v1/tokens')).filter(({ scope }) => scope === 'feed');
  const refresh = setUpListSection(section, load, (token) => createRow(token, () => refresh()));
  onSubmit(form, async ({ name, password }) => {
    const { token } = await passwordRequest('/auth/v1/tokens', 'POST', { name: name.trim(), scope: 'feed', password });
    form.closest('details').open = false;
    await showLinks(box, token);
    refresh();
  });
  for (const row of box.querySelectorAll('.copy')) {
    const field = row.querySelector('input');
    row.querySelector('.copy-link').onclick = busyWhile(() => copyText(field.value));
    row.querySelector('.show-code').onclick = busyWhile(() =>
      showQRCode(row.querySelector('label').textContent, field.value));
  }
  box.querySelector('.close').onclick = () => {
    for (const field of box.querySelectorAll('input')) field.value = '';
    box.hidden = true;
    section.querySelector('h2').focus();
  };
}

/** Shows the addresses of a new token. The server cannot tell the token again. */
async function showLinks(box, token) {
  const choice = box.querySelector('select');
  const lists = [...LISTS, ...await namedLists()];
  choice.replaceChildren(...lists.map(({ label }, number) => new Option(label, number)));
  choice.onchange = () => {
    const links = feedLinks(serverAddress(), token, lists[choice.value]);
    for (const [format, link] of Object.entries(links)) box.querySelector(`[name=${format}]`).value = link;
  };
  choice.onchange();
  box.hidden = false;
  box.querySelector('h3').focus();
}

async function namedLists() {
  const [tags, collections] = await Promise.all([
    restRequest('tags?select=name&order=name'),
    restRequest('collections?select=id,name&order=name'),
  ]);
  return [
    ...tags.map(({ name }) => ({ kind: 'tag', name, label: t('Tag: {name}', { name }) })),
    ...collections.map(({ id, name }) => ({ kind: 'collection', id, label: t('Collection: {name}', { name }) })),
  ];
}

function createRow({ id, name, created_at, last_used_at }, refresh) {
  return createElement('li', {},
    createElement('div', {},
      createElement('p', { className: 'head', dir: 'auto' }, name),
      createFactsLine(
        createElement('span', {}, ...textParts('created {time}', { time: createTime(created_at) })),
        last_used_at
          ? createElement('span', {}, ...textParts('last used {time}', { time: createTime(last_used_at) }))
          : t('never used'))),
    createElement('button', {
      textContent: t('Revoke'),
      ariaLabel: t('Revoke {name}', { name }),
      onclick: busyWhile(() => revoke(id, name, refresh)),
    }));
}

async function revoke(id, name, refresh) {
  const details = t('Programs that use its addresses lose access immediately. This cannot be undone.');
  if (!await confirmAction(t('Revoke “{name}”?', { name }), details, t('Revoke'))) return;
  await authorizedRequest(`/auth/v1/tokens/${id}`, { method: 'DELETE' }).catch((error) => {
    // A token that does not exist any longer needs no error message.
    if (error.status !== 404) throw error;
  });
  showToast(t('“{name}” is revoked.', { name }));
  await refresh();
}
