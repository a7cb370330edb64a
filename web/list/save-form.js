// The form that saves a link.

import { onSubmit } from '../shared/forms/form.js';
import { savedText } from '../shared/links/saved-text.js';
import { parseURL } from '../shared/links/typed-url.js';
import { saveLink } from '../shared/offline/offline-links.js';
import { offersUndoSince, showNews, showToast } from '../shared/ui/toast.js';

/**
 * Sets up the form.
 * @param {HTMLFormElement} form with the field `url`
 * @param {(link: import('../shared/links/link-text.js').Link) => void} onSaved
 */
export function setUpSaveForm(form, onSaved) {
  onSubmit(form, async (values) => {
    const sentAt = performance.now();
    const link = await saveLink(parseURL(values.url.trim()));
    // The row may be there before the answer. If the user has done something with it, that can still be undone.
    const show = offersUndoSince(sentAt) ? showNews : showToast;
    show(savedText(link));
    onSaved(link);
  });
}
