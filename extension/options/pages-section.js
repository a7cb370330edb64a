// When pages are sent, and the badge.

import { ask } from '../shared/ask.js';
import { DEFAULT_POLICY, POLICIES } from '../shared/policy.js';
import { t } from '../shared/words.js';

const element = (id) => document.getElementById(id);

/** Sets up the sections "Pages" and "Badge". */
export async function setUpPolicies() {
  const settings = await ask('settings');
  element('policies').replaceChildren(...Object.entries(POLICIES).map(([value, text]) => {
    const label = document.createElement('label');
    label.className = 'choice';
    const input = Object.assign(document.createElement('input'), {
      type: 'radio', name: 'policy', value, checked: value === (settings.policy ?? DEFAULT_POLICY),
      onchange: () => ask('change-settings', { changes: { policy: value } }),
    });
    label.append(input, text);
    return label;
  }));
  showSites(settings.sites ?? {});
  element('copies').checked = Boolean(settings.copies);
  element('copies').onchange = changeCopies;
  element('badge').checked = Boolean(settings.badge);
  element('badge').onchange = changeBadge;
}

function showSites(sites) {
  element('own-sites').hidden = !Object.keys(sites).length;
  element('sites').replaceChildren(...Object.entries(sites).sort().map(([site, policy]) => {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = t('Forget');
    button.setAttribute('aria-label', t('Forget the choice for {site}', { site }));
    button.onclick = async () => {
      const { [site]: forgotten, ...others } = (await ask('settings')).sites ?? {};
      await ask('change-settings', { changes: { sites: others } });
      showSites(others);
    };
    item.className = 'row';
    item.append(`${site}: ${POLICIES[policy]}`, button);
    return item;
  }));
}

async function changeCopies({ target }) {
  const isWanted = target.checked;
  const origins = ['http://*/*', 'https://*/*'];
  // Without it, copies lack some pictures.
  const isAllowed = !isWanted || await chrome.permissions.request({ origins }).catch(() => false);
  await ask('change-settings', { changes: { copies: isWanted } });
  element('copies-state').textContent = isAllowed
    ? '' : t('Without the permission, copies lack pictures that pages take from other sites.');
}

async function changeBadge({ target }) {
  const isWanted = target.checked;
  const state = element('badge-state');
  state.textContent = isWanted ? t('Your browser asks whether the extension may see your tabs.') : '';
  try {
    if (isWanted && !await chrome.permissions.request({ permissions: ['tabs'] })) {
      throw Error(t('Without the permission there is no badge.'));
    }
    await ask('switch-badge', { isWanted });
    state.textContent = '';
  } catch (error) {
    target.checked = false;
    state.textContent = error.message;
  }
}
