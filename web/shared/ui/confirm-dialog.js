// The dialog that asks for confirmation before an action that cannot be undone.

/**
 * Shows the dialog `#confirm`. Its cancel button has the focus, so pressing Enter too early does nothing.
 * @param {string} question the heading
 * @param {string} details what the action does
 * @param {string} action label of the confirming button
 * @returns {Promise<boolean>} whether the user confirmed
 */
export function confirmAction(question, details, action) {
  const dialog = document.getElementById('confirm');
  dialog.querySelector('h2').textContent = question;
  dialog.querySelector('p').textContent = details;
  dialog.querySelector('[value=yes]').textContent = action;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === 'yes');
  });
}
