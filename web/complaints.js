// What is wrong with a form, in words for who filled it in.
const REASONS = {
  length: 'A password needs at least 6 characters.',
  pwned: 'This is one of the most common passwords. Choose another.',
};
const WORDS = {
  same_password: { field: 'password', words: 'This is your password already. Choose another.' },
  email_exists: { field: 'email', words: 'There is an account with this address already.' },
  user_already_exists: { field: 'email', words: 'There is an account with this address already.' },
  user_banned: { words: 'This account is disabled. Ask the person who runs this service.' },
  email_not_confirmed: { words: 'This address is not confirmed yet. Open the link in the mail you were sent.' },
  signup_disabled: { words: 'Accounts are made by invitation here.' },
};

/** The words for what the service refused, and the name of the field they are about, if any. */
export function explain({ code, reasons, message }) {
  if (code === 'weak_password') {
    return { field: 'password', words: reasons.map((reason) => REASONS[reason]).filter(Boolean).join(' ') || message };
  }
  if (code === 'validation_failed' && /email/i.test(message)) return { field: 'email', words: 'This is no email address.' };
  if (code === 'validation_failed' && /password/i.test(message)) return { field: 'password', words: message };
  return WORDS[code] ?? { words: message };
}

/** What a field lacks before it is worth sending, or nothing. */
export function lacks({ validity, type, dataset }) {
  if (!validity || validity.valid) return '';
  if (validity.valueMissing) return dataset.missing ?? 'Please fill this in.';
  if (validity.tooShort) return REASONS.length;
  if (type === 'email') return 'This is no email address.';
  return 'This does not fit here.';
}
