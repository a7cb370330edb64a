// The fonts that the server has. Their rules are loaded when one of them is wanted, and the browser loads a font when a
// text needs it.

import { isElsewhere } from '../../shared/api/server.js';
import { loadStyles } from '../../shared/ui/styles.js';
import { SERVED_FONTS } from './reading-settings.js';

/** What to do when the lines of the text may break in other places, because a font has arrived. */
let tellLoaded;

let isWatching = false;

/**
 * Has the browser load a font.
 * @param {string} name
 * @param {() => void} onLoaded called whenever a face of the font has been loaded
 */
export function loadFont(name, onLoaded) {
  tellLoaded = onLoaded;
  // The extension has none.
  if (!SERVED_FONTS.includes(name) || isElsewhere()) return;
  loadStyles('/fonts/fonts.css');
  if (isWatching) return;
  isWatching = true;
  document.fonts.addEventListener('loadingdone', ({ fontfaces }) => {
    if (!fontfaces.length) return;
    // Layouts of pages are kept for the styles of the root; see `pages/layout-cache.js`.
    const loaded = [...document.fonts].filter(({ status }) => status === 'loaded').length;
    document.documentElement.style.setProperty('--loaded-faces', loaded);
    tellLoaded();
  });
}
