// Form submission: disables the button while the request runs and shows errors beside the field they are
// about.

import { t } from '../locale/translate.js';
import { describeError, describeInvalidField } from './form-errors.js';

/** Seconds to wait after a 429 response without Retry-After. */
const DEFAULT_RETRY_SECONDS = 5;

/** Form → the interval of the countdown that it shows. */
const countdowns = new WeakMap();

/**
 * Handles the submission of a form. Resets the form after success, but keeps what the user has changed since; shows the
 * error after a failure.
 * @param {HTMLFormElement} form
 * @param {(values: Record<string, any>, action: string) => Promise<any>} submit takes the values by field
 *   name, and the value of the button that was pressed
 */
export function onSubmit(form, submit) {
  // The browser's own messages disappear by themselves and cannot be styled.
  form.noValidate = true;
  /** The fields that the user has changed since the form was sent. */
  const typed = new Set();
  form.addEventListener('input', ({ target }) => {
    clearFieldError(target);
    typed.add(target);
  });
  form.onsubmit = async (event) => {
    event.preventDefault();
    const button = event.submitter;
    clearErrors(form);
    if (!validate(form)) return;
    button.disabled = true;
    typed.clear();
    try {
      await submit(Object.fromEntries(new FormData(form)), button.value);
      const kept = [...typed].map((field) => {
        const property = ['checkbox', 'radio'].includes(field.type) ? 'checked' : 'value';
        return [field, { [property]: field[property] }];
      });
      form.reset();
      for (const [field, values] of kept) Object.assign(field, values);
    } catch (error) {
      showError(form, button, error);
    } finally {
      button.disabled = countdowns.has(form);
    }
  };
}

function validate(form) {
  const invalid = [...form.elements].filter(describeInvalidField);
  for (const field of invalid) showFieldError(field, describeInvalidField(field));
  invalid[0]?.focus();
  return invalid.length === 0;
}

function showError(form, button, error) {
  const { message, field: fieldName = error.field } = describeError(error);
  const field = fieldName && form.elements[fieldName];
  if (field) showFieldError(field, message);
  else formAlert(form).textContent = message;
  if (error.status === 429) {
    startCountdown(form, button, message, error.retryAfter || DEFAULT_RETRY_SECONDS);
    return;
  }
  // A disabled button cannot take the focus; it is enabled again when this task ends.
  setTimeout(() => (field || button).focus());
}

// Only the number changes each second: role "timer" keeps screen readers from announcing every change.
function startCountdown(form, button, message, seconds) {
  const timer = document.createElement('span');
  const end = Date.now() + seconds * 1000;
  timer.setAttribute('role', 'timer');
  formAlert(form).replaceChildren(message.replace(/[;.].*/, '. '), timer);
  const tick = () => {
    const left = Math.ceil((end - Date.now()) / 1000);
    timer.textContent = t('Try again in {n} second.|Try again in {n} seconds.', { n: left });
    if (left > 0) return;
    clearErrors(form);
    button.disabled = false;
  };
  countdowns.set(form, setInterval(tick, 250));
  tick();
}

function showFieldError(field, message) {
  const id = fieldErrorId(field);
  const alert = document.getElementById(id) ?? document.createElement('p');
  (field.closest('label') ?? field.form).append(alert);
  Object.assign(alert, { id, className: 'field-error', role: 'alert', textContent: message });
  field.ariaInvalid = 'true';
  field.setAttribute('aria-describedby', id);
}

function clearFieldError(field) {
  document.getElementById(fieldErrorId(field))?.remove();
  field.ariaInvalid = null;
  field.removeAttribute('aria-describedby');
}

function clearErrors(form) {
  clearInterval(countdowns.get(form));
  countdowns.delete(form);
  for (const field of form.elements) if (field.name) clearFieldError(field);
  const alert = formAlert(form);
  if (alert) alert.textContent = '';
}

function fieldErrorId(field) {
  return `${field.form.id}-${field.name}-error`;
}

// The alert of the form as a whole.
function formAlert(form) {
  return form.querySelector('p[role=alert]:not(.field-error)');
}
