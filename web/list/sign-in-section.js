// The section that signed-out visitors see.

import { serverURL } from '../shared/api/server.js';
import { setUpSignIn } from '../shared/forms/sign-in-form.js';

/** Pages that send signed-out visitors here, by the name they give in `?next=`. */
const NEXT_PAGES = { account: '/account/', digest: '/digest/', import: '/import/', queue: '/queue/', save: '/save', settings: '/settings/' };

/**
 * Sets up the forms. The user goes on to the page that asked for the sign-in.
 * @param {HTMLElement} section
 * @param {() => void} onSignedIn called if no page asked
 */
export function setUpSignInSection(section, onSignedIn) {
  const given = new URLSearchParams(location.search);
  const page = NEXT_PAGES[given.get('next')];
  // What the save page was opened with.
  const path = page && given.has('values') ? `${page}?${given.get('values')}` : page;
  setUpSignIn(section, () => (path ? location.replace(serverURL(path)) : onSignedIn()));
}
