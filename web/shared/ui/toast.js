// The toast at the bottom of the page: what was just done, and a button to undo it.

/** How long a toast is shown, in milliseconds. */
const TOAST_MS = 6000;

/** A toast is shown at least this long before news takes its place: long enough to read it. */
const READ_MS = 2000;

/** How long what was done can be undone: long enough to reach the button by keyboard. */
export const UNDO_MS = 12_000;

/** The button of a toast that offers to undo something. */
const UNDO = '#toast.shown button:not([hidden])';

let hideTimer;
let shownAt;

/** What had the focus before the button. */
let lastFocus;

/** News that is shown when the present toast has been read. */
let waitingNews;
let newsTimer;

/**
 * Shows a message in the element `#toast`, replacing the previous one. A toast stays while the pointer or the focus is
 * in it.
 * @param {string} message
 * @param {() => void} [undo] shows the button "Undo", which calls this
 * @param {'info' | 'warning' | 'error' | 'critical'} [severity] more than information is read out at once
 */
export function showToast(message, undo, severity = 'info') {
  const toast = document.getElementById('toast');
  const button = toast.querySelector('button');
  const hide = () => {
    if (toast.matches(':hover, :focus-within')) hideTimer = setTimeout(hide, TOAST_MS);
    else close();
  };
  const close = () => {
    toast.className = '';
    showNews(waitingNews);
  };
  toast.dataset.severity = severity;
  toast.ariaLive = severity === 'info' ? 'polite' : 'assertive';
  toast.querySelector('span').textContent = message;
  button.hidden = !undo;
  button.onfocus = (event) => { lastFocus = event.relatedTarget; };
  button.onclick = async () => {
    const hadFocus = document.activeElement === button;
    toast.className = '';
    if (hadFocus) lastFocus?.focus({ preventScroll: true });
    await undo();
    // Undoing may have said something.
    if (!toast.className) close();
  };
  toast.className = 'shown';
  shownAt = performance.now();
  clearTimeout(hideTimer);
  hideTimer = setTimeout(hide, undo ? UNDO_MS : TOAST_MS);
}

/**
 * Shows a message about something that the user did not do just now. It waits until the present toast has been read, and
 * until an offer to undo something is gone. Newer news takes the place of news that waits.
 * @param {string | null} [message] nothing is shown without one
 */
export function showNews(message) {
  clearTimeout(newsTimer);
  waitingNews = message;
  if (!message || document.querySelector(UNDO)) return;
  const isShown = document.querySelector('#toast.shown');
  const wait = isShown ? shownAt + READ_MS - performance.now() : 0;
  if (wait > 0) {
    newsTimer = setTimeout(() => showNews(waitingNews), wait);
  } else {
    waitingNews = undefined;
    showToast(message);
  }
}

/**
 * Whether an offer to undo something is shown that was made after a time.
 * @param {number} time of `performance.now()`
 */
export const offersUndoSince = (time) => shownAt > time && Boolean(document.querySelector(UNDO));

/**
 * Shows why something has failed.
 * @param {Error & {severity?: 'warning' | 'error' | 'critical'}} error
 */
export function showError({ message, severity = 'error' }) {
  showToast(message, undefined, severity);
}

/** Presses the button "Undo" of the toast if it is shown. */
export function undoLast() {
  document.querySelector(UNDO)?.click();
}
