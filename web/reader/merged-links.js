// Links that were merged into the open link: other URLs of the same page, and a way to separate them again.

import { restRequest } from '../shared/api/session.js';
import { formatDate } from '../shared/format/dates.js';
import { t } from '../shared/locale/translate.js';
import { createElement } from '../shared/ui/elements.js';
import { showError } from '../shared/ui/toast.js';

const REASONS = {
  spelling: t('saved again'),
  resolved: t('redirects to this page'),
  canonical: t('this page names it as its canonical URL'),
  'clean-up': t('found during a clean-up'),
};

/** @typedef {import('../shared/links/link-text.js').Link} Link */

/**
 * Lists the links that were merged into a link, or hides the list when there are none.
 * @param {HTMLDetailsElement} details
 * @param {Link} link
 * @param {(links: Link[]) => void} onUnmerged called with the two links after a merge was undone
 */
export async function showMergedLinks(details, link, onUnmerged) {
  const filter = `survivor_id=eq.${link.id}&undone_at=is.null`;
  const query = `${filter}&select=id,raw_url,reason,merged_at&order=merged_at.desc&limit=100`;
  const merges = await restRequest(`link_merges?${query}`).catch(() => []);
  details.hidden = !merges.length;
  details.querySelector('summary').textContent = t('Also saved from another address'
    + '|Also saved from {n} other addresses', { n: merges.length });
  details.querySelector('ul').replaceChildren(...merges.map((merge) => createItem(merge, onUnmerged)));
}

function createItem({ id, raw_url, reason, merged_at }, onUnmerged) {
  const date = formatDate(merged_at);
  const button = createElement('button', { textContent: t('Make this a separate link') });
  button.onclick = async () => {
    button.disabled = true;
    try {
      onUnmerged(await restRequest('rpc/unmerge', { method: 'POST', body: { merge_id: id } }));
    } catch (error) {
      showError(error);
      button.disabled = false;
    }
  };
  return createElement('li', {},
    createElement('span', { dir: 'ltr' }, raw_url),
    createElement('small', {}, `${REASONS[reason] ?? reason}, ${date}`),
    button);
}
