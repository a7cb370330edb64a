// The search box in the header. A search is a route, so that Back and Reload work.

import { searchHash } from './route.js';

/**
 * Sets up the form, and takes over the query of `/?q=`, which is how a browser's search bar opens the page.
 * @param {HTMLFormElement} form with the field `q`
 */
export function setUpSearchForm(form) {
  const asked = new URLSearchParams(location.search).get('q');
  if (asked !== null) history.replaceState(null, '', location.pathname + searchHash(asked));
  form.onsubmit = (event) => {
    event.preventDefault();
    location.hash = searchHash(form.elements.q.value);
  };
}
