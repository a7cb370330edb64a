// The search box in the header. A search is a route, so that Back and Reload work.

import { searchHash } from './route.js';

/** The search runs when the user has not typed for this long. */
const PAUSE_MS = 250;

/**
 * Sets up the form, and takes over the query of `/?q=`, which is how a browser's search bar opens the page.
 * @param {HTMLFormElement} form with the field `q`
 */
export function setUpSearchForm(form) {
  const asked = new URLSearchParams(location.search).get('q');
  if (asked !== null) history.replaceState(null, '', location.pathname + searchHash(asked));
  const { q } = form.elements;
  let timer;
  /** The route that typing has led to. What is typed next replaces it, so that Back skips unfinished words. */
  let typedHash;

  function search() {
    clearTimeout(timer);
    const hash = searchHash(q.value);
    if (hash === location.hash) return;
    if (location.hash === typedHash) {
      history.replaceState(null, '', hash);
      dispatchEvent(new HashChangeEvent('hashchange'));
    } else {
      location.hash = hash;
    }
    typedHash = hash;
  }

  q.addEventListener('input', () => {
    clearTimeout(timer);
    const { hash } = location;
    // The user may have opened a link since.
    timer = setTimeout(() => location.hash === hash && search(), PAUSE_MS);
  });
  form.onsubmit = (event) => {
    event.preventDefault();
    // The page leaves the field alone while it has the focus.
    q.blur();
    search();
    typedHash = null;
    dispatchEvent(new HashChangeEvent('hashchange'));
  };
}
