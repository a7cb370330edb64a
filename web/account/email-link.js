// Links from emails: invitations, password recovery and sign-in. A link works once. Opening it does not use
// it up, because mail scanners open links too; pressing the button does.

import { request } from '../shared/api/client.js';
import { serverURL } from '../shared/api/server.js';
import { storeSession } from '../shared/api/session.js';
import { onSubmit } from '../shared/forms/form.js';
import { setUpRecoveryForm } from '../shared/forms/recovery-form.js';
import { t } from '../shared/locale/translate.js';
import { setFlashMessage } from '../shared/ui/flash-message.js';
import { showView } from './views.js';

/** Forms of the view: ids. */
const CHOOSE_PASSWORD = 'choose-password';
const CONFIRM_SIGN_IN = 'confirm-sign-in';
const REQUEST_LINK = 'request-link';
const FORMS = [CHOOSE_PASSWORD, CONFIRM_SIGN_IN, REQUEST_LINK];

/** Link type → what the view shows. */
const TYPES = {
  recovery: {
    title: t('Choose a new password'),
    text: t('All devices that are signed in to your account will be signed out.'),
    form: CHOOSE_PASSWORD,
    button: t('Set new password'),
  },
  email_change: {
    title: t('Confirm your new email address'),
    text: t('From then on, you sign in to your account with this address.'),
    form: CONFIRM_SIGN_IN,
    button: t('Confirm'),
  },
  invite: {
    title: t('Welcome to Lectern'),
    text: t('You have been invited. Choose a password to open your account. '
      + 'Then save pages here and read them in peace.'),
    form: CHOOSE_PASSWORD,
    button: t('Open my account'),
  },
  magiclink: {
    title: t('Sign in to Lectern'),
    text: t('This link signs you in to this browser. It works once.'),
    form: CONFIRM_SIGN_IN,
  },
  signup: {
    title: t('Welcome to Lectern'),
    text: t('Signing in confirms your email address.'),
    form: CONFIRM_SIGN_IN,
  },
};

/** Link type → how to get a new link, where it is not a link for choosing a password. */
const OTHER_ADVICE = {
  invite: t('Ask the person who invited you for a new one.'),
  email_change: t('Change your email address once more to get a new one.'),
};

/** Link type → what the next page says. */
const MESSAGES = {
  recovery: t('Your new password is set.'),
  email_change: t('Your new email address is confirmed.'),
};

/**
 * @typedef {object} EmailLink the parameters in the fragment of the URL
 * @property {string} [token_hash]
 * @property {string} [type] a key of `TYPES`
 * @property {string} [error]
 * @property {string} [error_description]
 */

/**
 * Returns the link that opened this page, or null, and removes it from the URL: the history and the screen
 * would keep it.
 * @returns {EmailLink | null}
 */
export function takeLinkFromURL() {
  const link = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (!link.token_hash && !link.error) return null;
  history.replaceState(null, '', location.pathname);
  return link;
}

/**
 * Shows the view of a link.
 * @param {EmailLink} link
 */
export function openEmailLink({ token_hash, type, error_description }) {
  const view = Object.hasOwn(TYPES, type ?? '') ? TYPES[type] : null;
  if (!token_hash || !view) {
    showInvalid(type, error_description);
    return;
  }
  showLinkView(view);
  const form = document.getElementById(view.form);
  if (view.button) form.querySelector('.strong').textContent = view.button;
  document.getElementById('revoke-choice').hidden = type !== 'recovery';

  // The link works once. If the password is refused after that, the next attempt uses the same session.
  let grant;
  onSubmit(form, async ({ password, revoke_tokens }) => {
    grant ??= await redeem({ type, token_hash, revoke_tokens: Boolean(revoke_tokens) });
    if (!grant) return;
    if (password) await setPassword(grant, password);
    if (MESSAGES[type]) setFlashMessage(MESSAGES[type]);
    location.replace(serverURL('/'));
  });
}

// Exchanges the link for a session, which it stores; a link that confirms an address gives none. Shows that
// the link is invalid and returns undefined if it is.
async function redeem(link) {
  const { type } = link;
  try {
    const grant = await request('/auth/v1/verify', { method: 'POST', body: link });
    if (grant.access_token) storeSession(grant);
    return grant;
  } catch (error) {
    if (error.status !== 403) throw error;
    showInvalid(type);
  }
}

async function setPassword({ access_token: token, user }, password) {
  document.getElementById('link-text').textContent = t('For {email}.', { email: user.email });
  // Tells password managers which account the password belongs to.
  document.getElementById(CHOOSE_PASSWORD).elements.username.defaultValue = user.email;
  await request('/auth/v1/user', { method: 'PUT', body: { password }, token }).catch((error) => {
    // Choosing the current password again is fine.
    if (error.code === 'same_password') return;
    // The password was refused before, and since then the session has become too old for a new attempt.
    if (error.code === 'reauthentication_needed') throw Error(t('This took too long. Ask for a new link.'));
    throw error;
  });
}

function showInvalid(type, description) {
  const advice = Object.hasOwn(OTHER_ADVICE, type ?? '') ? OTHER_ADVICE[type] : null;
  const text = advice ?? t('Enter your email address to get a new link for choosing a password.');
  showLinkView({
    title: t('This link no longer works'),
    text: `${description ? `${description}. ` : ''}${t('A link works once and only for a limited time.')} ${text}`,
    form: advice ? null : REQUEST_LINK,
  });
  setUpRecoveryForm(document.getElementById(REQUEST_LINK));
}

function showLinkView({ title, text, form }) {
  for (const id of FORMS) document.getElementById(id).hidden = id !== form;
  document.getElementById('link-text').textContent = text;
  document.getElementById('link-name').textContent = title;
  document.title = `${title} – Lectern`;
  showView('link').querySelector('h1').focus();
}
