// The toast at the bottom of the page: what was just done, and a button to undo it.

/** How long a toast is shown, and so how long its action can be undone, in milliseconds. */
export const TOAST_MS = 6000;

let hideTimer;

/**
 * Shows a message in the element `#toast`, replacing the previous one.
 * @param {string} message
 * @param {() => void} [undo] shows the button "Undo", which calls this
 */
export function showToast(message, undo) {
  const toast = document.getElementById('toast');
  const button = toast.querySelector('button');
  const hide = () => {
    toast.className = '';
  };
  toast.querySelector('span').textContent = message;
  button.hidden = !undo;
  button.onclick = () => {
    hide();
    undo();
  };
  toast.className = 'shown';
  clearTimeout(hideTimer);
  hideTimer = setTimeout(hide, TOAST_MS);
}
