// Lost highlights: passages that the user highlighted and that the article no longer has. The server places
// them again when a later version of the article has them.

import { restRequest } from '../shared/api/session.js';
import { formatDate } from '../shared/format/dates.js';
import { t } from '../shared/locale/translate.js';
import { createElement } from '../shared/ui/elements.js';

/**
 * Lists the lost highlights of a link, or hides the list when there are none.
 * @param {HTMLDetailsElement} details
 * @param {import('../shared/links/link-text.js').Link} link
 */
export async function showLostHighlights(details, link) {
  const filter = `link_id=eq.${link.id}&orphaned_at=not.is.null`;
  const query = `${filter}&select=quote,note,orphaned_at&order=start_offset,id&limit=1000`;
  details.hidden = true;
  details.dataset.link = link.id;
  const highlights = await restRequest(`highlights?${query}`).catch(() => []);
  // Another article may have been opened since.
  if (details.dataset.link !== link.id) return;
  details.hidden = !highlights.length;
  details.querySelector('summary').textContent = t('A passage you highlighted is no longer in the text'
    + '|{n} passages you highlighted are no longer in the text', { n: highlights.length });
  details.querySelector('ul').replaceChildren(...highlights.map(createItem));
}

function createItem({ quote, note, orphaned_at }) {
  return createElement('li', {},
    quote && createElement('q', { dir: 'auto' }, quote),
    note && createElement('span', { dir: 'auto' }, note),
    createElement('small', {}, t('since {date}', { date: formatDate(orphaned_at) })));
}
