// A new password is typed once, so it can be looked at.
export function revealPasswords() {
  for (const field of document.querySelectorAll('[autocomplete=new-password]')) addButton(field);
}

function addButton(field) {
  const button = document.createElement('button'), frame = document.createElement('span');
  const paint = () => {
    const isHidden = field.type === 'password';
    Object.assign(button, { textContent: isHidden ? 'Show' : 'Hide', ariaLabel: `${isHidden ? 'Show' : 'Hide'} password` });
  };
  Object.assign(button, { type: 'button', onclick() { field.type = field.type === 'password' ? 'text' : 'password'; paint(); } });
  field.form.addEventListener('reset', () => { field.type = 'password'; paint(); });
  frame.className = 'reveal';
  field.replaceWith(frame);
  frame.append(field, button);
  paint();
}
