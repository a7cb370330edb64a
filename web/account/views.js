// The views of the account page, of which one is visible.

const VIEWS = ['account', 'link', 'deleted', 'load-error'];

/**
 * Shows one view and hides the others.
 * @param {'account' | 'link' | 'deleted' | 'load-error'} id
 * @returns {HTMLElement} the view
 */
export function showView(id) {
  for (const view of VIEWS) document.getElementById(view).hidden = view !== id;
  return document.getElementById(id);
}
