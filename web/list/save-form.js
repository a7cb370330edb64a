// The form that saves a link.

import { formatRelativeTime } from '../shared/format/dates.js';
import { onSubmit } from '../shared/forms/form.js';
import { isNewLink } from '../shared/links/link-text.js';
import { parseURL } from '../shared/links/typed-url.js';
import { saveLink } from '../shared/offline/offline-links.js';
import { showToast } from '../shared/ui/toast.js';

/**
 * Sets up the form.
 * @param {HTMLFormElement} form with the field `url`
 * @param {(link: import('../shared/links/link-text.js').Link) => void} onSaved
 */
export function setUpSaveForm(form, onSaved) {
  onSubmit(form, async (values) => {
    const url = parseURL(values.url.trim());
    const link = await saveLink(url);
    const saved = formatRelativeTime(link.created_at);
    if (link.state === 'waiting') showToast('Saved on this device.');
    else showToast(isNewLink(link) ? 'Saved.' : `Already saved ${saved}. Moved to the top of the list.`);
    onSaved(link);
  });
}
