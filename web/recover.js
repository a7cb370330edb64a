// Asking for a link to choose a new password. The answer is the same whether there is such an account or not.
import { onSubmit } from './forms.js';
import { request } from './session.js';

export function recover(form) {
  const done = form.querySelector('[role=status]'), button = form.querySelector('.strong');
  form.addEventListener('input', () => { done.textContent = ''; });
  onSubmit(form, async ({ email }) => {
    await request('/auth/v1/recover', { method: 'POST', body: { email: email.trim() } });
    done.textContent = `If there is an account for ${email.trim()}, a mail is on its way. Its link is good for an hour. `
      + 'Look among the spam too, and ask the person who runs this service if none comes.';
    button.textContent = 'Send another';
    form.elements.email.defaultValue = email;  // stays when the form is emptied
  });
}
