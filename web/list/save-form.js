// The form that saves a link.

import { onSubmit } from '../shared/forms/form.js';
import { savedText } from '../shared/links/saved-text.js';
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
    const link = await saveLink(parseURL(values.url.trim()));
    showToast(savedText(link));
    onSaved(link);
  });
}
