// Forms: the button rests while the server works, and what is wrong is said beside the field it is about.
import { explain, lacks } from './complaints.js';

const waits = new WeakMap();  // form → the countdown it shows

/** Calls `work` with the form's values and the button's. When it succeeds the form is empty again. */
export function onSubmit(form, work) {
  form.noValidate = true;  // the browser's own complaints are bubbles that go away and that nobody can style
  form.addEventListener('input', ({ target }) => hush(target));
  form.onsubmit = async (event) => {
    event.preventDefault();
    const { submitter } = event;
    quieten(form);
    if (!isComplete(form)) return;
    submitter.disabled = true;
    try {
      await work(Object.fromEntries(new FormData(form)), submitter.value);
      form.reset();
    } catch (error) {
      return complain(form, submitter, error);
    } finally {
      submitter.disabled = waits.has(form);
    }
  };
}

function isComplete(form) {
  const wrong = [...form.elements].filter((field) => lacks(field));
  wrong.forEach((field) => object(field, lacks(field)));
  wrong[0]?.focus();
  return wrong.length === 0;
}

function complain(form, button, error) {
  const { words, field = error.field } = explain(error);
  const about = field && form.elements[field];
  if (about) object(about, words);
  else form.querySelector('p[role=alert]:not(.about-field)').textContent = words;
  if (error.status === 429) return countDown(form, button, words, error.retryAfter || 5);
  setTimeout(() => (about || button).focus());  // once the button is awake again
}

// Only the seconds change, and a timer is not read out at every tick.
function countDown(form, button, words, seconds) {
  const alert = form.querySelector('p[role=alert]:not(.about-field)'), timer = document.createElement('span');
  const until = Date.now() + seconds * 1000;
  timer.setAttribute('role', 'timer');
  alert.replaceChildren(words.replace(/[;.].*/, '. '), timer);
  const tick = () => {
    const left = Math.ceil((until - Date.now()) / 1000);
    timer.textContent = `Try again in ${left} ${left === 1 ? 'second' : 'seconds'}.`;
    if (left > 0) return;
    quieten(form);
    button.disabled = false;
  };
  waits.set(form, setInterval(tick, 250));
  tick();
}

function object(field, words) {
  const id = `${field.form.id}-${field.name}-wrong`, note = document.getElementById(id) ?? document.createElement('p');
  (field.closest('label') ?? field.form).append(note);
  Object.assign(note, { id, className: 'about-field', role: 'alert', textContent: words });
  field.ariaInvalid = 'true';
  field.setAttribute('aria-describedby', id);
}

function hush(field) {
  document.getElementById(`${field.form.id}-${field.name}-wrong`)?.remove();
  field.ariaInvalid = null;
  field.removeAttribute('aria-describedby');
}

function quieten(form) {
  clearInterval(waits.get(form));
  waits.delete(form);
  [...form.elements].filter((field) => field.name).forEach(hush);
  const alert = form.querySelector('p[role=alert]');
  if (alert) alert.textContent = '';
}
