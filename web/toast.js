// The line at the bottom that tells what was just done, for as long as it can be undone.
export const UNDO_MS = 6000;
const toast = document.getElementById('toast');
let hiding;

export function tell(words, undo) {
  const hide = () => { toast.className = ''; };
  toast.querySelector('span').textContent = words;
  toast.className = 'shown';
  Object.assign(toast.querySelector('button'), { hidden: !undo, onclick() { hide(); undo(); } });
  clearTimeout(hiding);
  hiding = setTimeout(hide, UNDO_MS);
}
