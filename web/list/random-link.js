// Opens a link that chance picks.

import { t } from '../shared/locale/translate.js';
import { searchLinks } from '../shared/offline/offline-links.js';
import { showToast } from '../shared/ui/toast.js';
import { withTerm } from './query-text.js';

/** @param {string} query of the list or the search from which a link is picked */
export async function openRandomLink(query) {
  const { links } = await searchLinks(withTerm(query, 'sort', 'random'), 1);
  if (links.length) location.hash = `#/link/${links[0].id}`;
  else showToast(t('There is no link to pick from.'));
}
