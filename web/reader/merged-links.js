// Links that were merged into the open link: other URLs of the same page, and a way to separate them again.

import { restRequest } from '../shared/api/session.js';
import { createElement } from '../shared/ui/elements.js';
import { showToast } from '../shared/ui/toast.js';

const REASONS = {
  spelling: 'saved again',
  resolved: 'redirects to this page',
  canonical: 'this page names it as its canonical URL',
  'clean-up': 'found during a clean-up',
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
  details.querySelector('summary').textContent = merges.length === 1
    ? 'Also saved from another address'
    : `Also saved from ${merges.length} other addresses`;
  details.querySelector('ul').replaceChildren(...merges.map((merge) => createItem(merge, onUnmerged)));
}

function createItem({ id, raw_url, reason, merged_at }, onUnmerged) {
  const date = new Date(merged_at).toLocaleDateString();
  const button = createElement('button', { textContent: 'Make this a separate link' });
  button.onclick = async () => {
    button.disabled = true;
    try {
      onUnmerged(await restRequest('rpc/unmerge', { method: 'POST', body: { merge_id: id } }));
    } catch (error) {
      showToast(error.message);
      button.disabled = false;
    }
  };
  return createElement('li', {},
    createElement('span', { dir: 'ltr' }, raw_url),
    createElement('small', {}, `${REASONS[reason] ?? reason}, ${date}`),
    button);
}
