// The section with what this browser keeps for reading without a network.

import { currentSession } from '../shared/api/session.js';
import { formatNumber, formatSize } from '../shared/format/numbers.js';
import { t } from '../shared/locale/translate.js';
import { PICTURE_CACHE, removeCopiesOf } from '../shared/offline/local-data.js';
import { allCopiedArticles } from '../shared/offline/offline-copies.js';
import { changeOfflineSettings, offlineSettings } from '../shared/offline/offline-settings.js';
import { onWaitingChanges, waitingChanges } from '../shared/offline/waiting-changes.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { showToast } from '../shared/ui/toast.js';

/** @param {HTMLElement} section */
export function setUpOfflineSettings(section) {
  const { articles, pictures } = section.querySelector('form').elements;
  const settings = offlineSettings();
  articles.value = settings.articles;
  pictures.checked = settings.pictures;
  section.querySelector('form').onchange = () => {
    changeOfflineSettings({ articles: Number(articles.value), pictures: pictures.checked });
    showToast(t('Saved. The change applies when you open a list.'));
  };
  section.querySelector('.insecure').hidden = isSecureContext;
  section.querySelector('.remove').onclick = busyWhile(async () => {
    await removeCopiesOf(currentSession().user);
    await showUse(section);
    showToast(t('Removed the copies.'));
  });
  onWaitingChanges(() => showUse(section));
  showUse(section);
}

async function countPictures() {
  if (!await globalThis.caches?.has(PICTURE_CACHE)) return 0;
  return (await (await caches.open(PICTURE_CACHE)).keys()).length;
}

// A browser that stores nothing has nothing to tell.
async function showUse(section) {
  const values = {
    '.kept-articles': formatNumber((await allCopiedArticles().catch(() => [])).length),
    '.kept-pictures': formatNumber(await countPictures()),
    '.waiting': formatNumber((await waitingChanges()).length),
    '.used': formatSize((await navigator.storage?.estimate())?.usage ?? 0),
  };
  for (const [selector, value] of Object.entries(values)) section.querySelector(selector).textContent = value;
}
