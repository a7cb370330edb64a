// The section with the debug log of this browser.

import { debugLog, endDebugLog, startDebugLog } from '../shared/ui/debug-log.js';
import { copyText } from '../shared/ui/clipboard.js';

/** How often a log that is shown is looked at. */
const REFRESH_MS = 1000;

/** @param {HTMLElement} section */
export function setUpDebugLog(section) {
  const box = section.querySelector('[name=debug]');
  const log = section.querySelector('.log');
  const lines = log.querySelector('pre');
  box.onchange = () => {
    if (box.checked) startDebugLog();
    else endDebugLog();
    show();
  };
  log.querySelector('button').onclick = () => copyText(lines.textContent);

  function show() {
    const noted = debugLog();
    box.checked = Boolean(noted);
    log.hidden = !noted;
    const text = noted ? [navigator.userAgent, ...noted].join('\n') : '';
    // What the user has selected stays selected while nothing is added.
    if (lines.textContent !== text) lines.textContent = text;
  }

  show();
  setInterval(show, REFRESH_MS);
}
