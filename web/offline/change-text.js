// Waiting changes in words. This module does not use the DOM.

const UPDATES = {
  status: { read: 'Mark as read', unread: 'Mark as unread' },
  is_starred: { true: 'Star', false: 'Remove star' },
  list: { archive: 'Archive', read: 'Move to To Read' },
  state: { pending: 'Fetch again' },
};

const OTHERS = {
  delete: () => 'Delete',
  save: () => 'Save',
  progress: () => 'Reading progress',
  tag: ({ name }) => (name ? `Add tag ${name}` : 'Remove a tag'),
  collection: ({ isMember }) => (isMember ? 'Add to a collection' : 'Remove from a collection'),
  request: ({ label }) => label,
};

/**
 * Returns what a change does: "Archive, Mark as read".
 * @param {import('../shared/offline/change-requests.js').Change} change
 * @returns {string}
 */
export function describeChange(change) {
  if (change.kind !== 'update') return OTHERS[change.kind](change);
  return Object.entries(change.changes).map(([column, value]) => UPDATES[column]?.[value] ?? 'Change').join(', ');
}
