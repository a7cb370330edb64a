// Asks before what cannot be undone. Cancel has the focus: who presses Enter too early has lost nothing.
const dialog = document.getElementById('sure');

/** Whether the user is sure; `action` names the button that says so. */
export function isSure(question, words, action) {
  dialog.querySelector('h2').textContent = question;
  dialog.querySelector('p').textContent = words;
  dialog.querySelector('[value=yes]').textContent = action;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === 'yes');
  });
}

