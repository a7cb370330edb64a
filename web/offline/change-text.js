// Waiting changes in words. This module does not use the DOM.

import { t } from '../shared/locale/translate.js';

const UPDATES = {
  status: { read: t('Mark as read'), unread: t('Mark as unread') },
  is_starred: { true: t('Star'), false: t('Remove star') },
  list: { archive: t('Archive#verb'), read: t('Move to To Read') },
  state: { pending: t('Fetch again') },
};

const OTHERS = {
  delete: () => t('Delete'),
  save: () => t('Save'),
  file: () => t('Save a file'),
  progress: () => t('Reading progress'),
  tag: ({ name }) => (name ? t('Add tag {name}', { name }) : t('Remove a tag')),
  collection: ({ isMember }) => (isMember ? t('Add to a collection') : t('Remove from a collection')),
  request: ({ label }) => label,
};

/**
 * Returns what a change does: "Archive, Mark as read".
 * @param {import('../shared/offline/change-requests.js').Change} change
 * @returns {string}
 */
export function describeChange(change) {
  if (change.kind !== 'update') return OTHERS[change.kind](change);
  return Object.entries(change.changes).map(([column, value]) => UPDATES[column]?.[value] ?? t('Change')).join(', ');
}
