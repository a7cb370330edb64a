// The fonts that the server has. Their rules are loaded when one of them is wanted, and the browser loads a font when a
// text needs it.

import { isElsewhere, serverURL } from '../../shared/api/server.js';
import { loadStyles } from '../../shared/ui/styles.js';
import { SERVED_FONTS } from './settings-values.js';

const RULES = '/fonts/fonts.css';

/** What to do when the lines of the text may break in other places, because a font has arrived. */
let tellLoaded;

let isWatching = false;

/** Whether the page of the extension has asked the server for the rules. */
let areRulesAsked = false;

/**
 * Has the browser load a font.
 * @param {string} name
 * @param {() => void} onLoaded called whenever a face of the font has been loaded
 */
export function loadFont(name, onLoaded) {
  tellLoaded = onLoaded;
  if (!SERVED_FONTS.includes(name)) return;
  loadRules();
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

function loadRules() {
  if (!isElsewhere()) {
    loadStyles(RULES);
  } else if (!areRulesAsked) {
    areRulesAsked = true;
    addRulesOfServer();
  }
}

// A page of the extension takes no style sheets from elsewhere. Without a network, the browser's own cache has the rules
// and the fonts. Text in a font that cannot be had is shown in one that the device has.
async function addRulesOfServer() {
  const address = serverURL(RULES);
  const response = await fetch(address).catch(() => fetch(address, { cache: 'force-cache' })).catch(() => null);
  if (!response?.ok) {
    // The next use tries again.
    areRulesAsked = false;
    return;
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync((await response.text()).replaceAll('url("', `url("${address.slice(0, -'fonts.css'.length)}`));
  document.adoptedStyleSheets.push(sheet);
}
