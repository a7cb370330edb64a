// The section of shared articles: those that everyone with a link can read.

import { publicAddress, stopSharing } from '../reader/sharing/public-link.js';
import { restRequest } from '../shared/api/session.js';
import { t, textParts } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { copyText } from '../shared/ui/clipboard.js';
import { createElement, createFactsLine, createTime } from '../shared/ui/elements.js';
import { setUpListSection } from '../shared/ui/list-section.js';

/** The ids in one request for titles. */
const AT_ONCE = 100;

/** @param {HTMLElement} section */
export function setUpShares(section) {
  const refresh = setUpListSection(section, loadShares, (share) => createRow(share, () => refresh()));
}

async function loadShares() {
  const shares = await restRequest('shares?order=created_at.desc,id.desc');
  const titles = new Map();
  for (let start = 0; start < shares.length; start += AT_ONCE) {
    const ids = shares.slice(start, start + AT_ONCE).map((share) => share.link_id);
    const links = await restRequest(`links?select=id,title,raw_url&id=in.(${ids})`);
    for (const { id, title, raw_url } of links) titles.set(id, title || raw_url);
  }
  return shares.map((share) => ({ ...share, title: titles.get(share.link_id) ?? '' }));
}

function createRow({ link_id, token, created_at, title }, refresh) {
  const address = publicAddress(token);
  const shared = createElement('span', {}, ...textParts('shared {time}', { time: createTime(created_at) }));
  return createElement('li', {},
    createElement('div', {},
      createElement('p', { className: 'head', dir: 'auto' }, createElement('a', { href: address }, title)),
      createFactsLine(shared)),
    createElement('div', { className: 'buttons' },
      createElement('button', {
        textContent: t('Copy'), ariaLabel: t('Copy the link of {title}', { title }), onclick: () => copyText(address),
      }),
      createElement('button', {
        textContent: t('Stop sharing'), ariaLabel: t('Stop sharing {title}', { title }),
        onclick: busyWhile(async () => {
          await stopSharing(link_id);
          await refresh();
        }),
      })));
}
