// Passages that were marked in the article that is open and that it does not have any more. They come back by themselves when a
// later text of it has them.
import { signed } from './session.js';

// Fills a `details` with them, and hides it where there are none.
export async function showOrphans(place, link) {
  const query = `link_id=eq.${link.id}&orphaned_at=not.is.null&select=quote,note,orphaned_at&order=start_offset,id&limit=1000`;
  Object.assign(place, { hidden: true }).dataset.link = link.id;
  const orphans = await signed('/rest/v1/highlights?' + query).catch(() => []);
  if (place.dataset.link !== link.id) return;  // another article was opened meanwhile
  place.hidden = !orphans.length;
  place.querySelector('summary').textContent = orphans.length === 1 ? 'A passage you marked is no longer in the text' : `${orphans.length} passages you marked are no longer in the text`;
  place.querySelector('ul').replaceChildren(...orphans.map(({ quote, note, orphaned_at }) => {
    const item = document.createElement('li');
    for (const [tag, text] of [['q', quote], ['span', note], ['small', `since ${new Date(orphaned_at).toLocaleDateString()}`]]) {
      if (text) item.append(Object.assign(document.createElement(tag), { textContent: text, dir: tag === 'small' ? '' : 'auto' }));
    }
    return item;
  }));
}
