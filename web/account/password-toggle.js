// Buttons that show a new password while it is typed.

import { t } from '../shared/locale/translate.js';

/** Adds a button to each field for a new password. */
export function setUpPasswordToggles() {
  for (const field of document.querySelectorAll('[autocomplete=new-password]')) addToggle(field);
}

function addToggle(field) {
  const frame = document.createElement('span');
  const button = document.createElement('button');
  frame.className = 'reveal';
  button.type = 'button';

  const setVisible = (isVisible) => {
    field.type = isVisible ? 'text' : 'password';
    button.textContent = isVisible ? t('Hide') : t('Show');
    button.ariaLabel = isVisible ? t('Hide password') : t('Show password');
  };
  button.onclick = () => setVisible(field.type === 'password');
  field.form.addEventListener('reset', () => setVisible(false));

  field.replaceWith(frame);
  frame.append(field, button);
  setVisible(false);
}
