// Messages for form errors.

import { t } from '../locale/translate.js';

const WEAK_PASSWORD_MESSAGES = {
  length: t('A password needs at least 6 characters.'),
  pwned: t('This is one of the most common passwords. Choose another.'),
};

const ACCOUNT_EXISTS = { field: 'email', message: t('An account with this email address already exists.') };

const MESSAGES = {
  invalid_credentials: { message: t('Wrong email address or password.') },
  same_password: { field: 'password', message: t('This is already your password. Choose another.') },
  email_exists: ACCOUNT_EXISTS,
  user_already_exists: ACCOUNT_EXISTS,
  user_banned: { message: t('This account is disabled. Contact the administrator.') },
  email_not_confirmed: {
    message: t('This email address is not confirmed yet. Open the link in the email we sent you.'),
  },
  reauthentication_needed: { message: t('Sign in again, then try once more.') },
  signup_disabled: { message: t('Accounts on this server are by invitation only.') },
};

const INVALID_EMAIL = t('Enter a valid email address.');

/**
 * Describes an error response.
 * @param {import('../api/client.js').RequestError} error
 * @returns {{message: string, field?: string}} `field` is the name of the field that the message is about
 */
export function describeError({ code, reasons, said, message }) {
  if (code === 'weak_password') {
    const messages = reasons.map((reason) => WEAK_PASSWORD_MESSAGES[reason]).filter(Boolean);
    return { field: 'password', message: messages.join(' ') || message };
  }
  if (code === 'validation_failed') {
    if (/email/i.test(said)) return { field: 'email', message: INVALID_EMAIL };
    if (/password/i.test(said)) return { field: 'password', message };
  }
  const isTooOften = code === 'over_request_rate_limit' && /^Too many attempts/.test(said);
  return isTooOften ? { message: t('Too many attempts.') } : MESSAGES[code] ?? { message };
}

/**
 * Describes why the browser considers a field invalid.
 * @param {HTMLInputElement} field `data-missing` is its message for an empty value
 * @returns {string} empty when the field is valid
 */
export function describeInvalidField({ validity, type, dataset }) {
  if (!validity || validity.valid) return '';
  if (validity.valueMissing) return dataset.missing ?? t('Please fill this in.');
  if (validity.tooShort) return WEAK_PASSWORD_MESSAGES.length;
  if (type === 'email') return INVALID_EMAIL;
  return t('This value is not valid.');
}
