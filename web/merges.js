// What was merged into the link that is open: other addresses of the page, and a way to have one of them for itself again.
import { signed } from './session.js';
import { tell } from './toast.js';
const WORDS = { spelling: 'saved again', resolved: 'it leads here', canonical: 'the page names this one as its own', 'clean-up': 'found by a clean-up' };

// Fills a `details` with the merges of a link, and hides it where there are none.
export async function showMerges(place, link, onSeparated) {
  const query = `survivor_id=eq.${link.id}&undone_at=is.null&select=id,raw_url,reason,merged_at&order=merged_at.desc&limit=100`;
  const merges = await signed('/rest/v1/link_merges?' + query).catch(() => []);
  place.hidden = !merges.length;
  place.querySelector('summary').textContent = merges.length === 1 ? 'Also saved by another address' : `Also saved by ${merges.length} other addresses`;
  place.querySelector('ul').replaceChildren(...merges.map((merge) => {
    const item = document.createElement('li'), url = document.createElement('span'), why = document.createElement('small'), button = document.createElement('button');
    Object.assign(url, { textContent: merge.raw_url, dir: 'ltr' });
    why.textContent = `${WORDS[merge.reason] ?? merge.reason}, ${new Date(merge.merged_at).toLocaleDateString()}`;
    Object.assign(button, { textContent: 'Make it a link of its own', async onclick() {
      button.disabled = true;
      await signed('/rest/v1/rpc/unmerge', { method: 'POST', body: { merge_id: merge.id } }).then(onSeparated, (error) => { tell(error.message); button.disabled = false; });
    } });
    item.append(url, why, button);
    return item;
  }));
}
