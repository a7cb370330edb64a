// A link from a mail. It works once, and opening it uses up nothing: mail scanners open links too. Only the button does.
import { onSubmit } from '/forms.js';
import { recover } from '/recover.js';
import { keep, request, say } from '/session.js';
import { only } from './views.js';

const $ = (selector) => document.querySelector(selector);
const choose = $('#choose'), comeIn = $('#come-in'), askAgain = $('#ask-again');

const KINDS = {
  recovery: {
    title: 'Choose a new password', button: 'Set new password', form: choose,
    words: 'All devices that are signed in to your account now are signed out.',
  },
  invite: {
    title: 'Welcome to Lectern', button: 'Open my account', form: choose,
    words: 'You are invited. Choose a password, and your account is ready: save pages here and read them in peace.',
  },
  magiclink: { title: 'Sign in to Lectern', form: comeIn, words: 'Your link signs you in once, in this browser.' },
  signup: { title: 'Welcome to Lectern', form: comeIn, words: 'Your address is confirmed when you sign in.' },
};

/** What the address bar brought, which is taken out of it at once: history and screens keep what stands there. */
export function linkInAddress() {
  const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (!given.token_hash && !given.error) return null;
  history.replaceState(null, '', location.pathname);
  return given;
}

export function openLink({ token_hash, type, error_description }) {
  const kind = Object.hasOwn(KINDS, type ?? '') ? KINDS[type] : null;
  if (!token_hash || !kind) return refuse(type, error_description);
  face(kind);
  if (kind.button) kind.form.querySelector('.strong').textContent = kind.button;
  let granted;  // the link works once; a password that is refused after that needs no second one
  onSubmit(kind.form, async ({ password }) => {
    granted ??= await take(type, token_hash);
    if (!granted) return;
    if (password) await setPassword(granted, password);
    if (type === 'recovery') say('Your new password is set.');
    location.replace('/');
  });
}

/** Trades the link for a session, or shows that it is none any more. */
async function take(type, token_hash) {
  try {
    const granted = await request('/auth/v1/verify', { method: 'POST', body: { type, token_hash } });
    keep(granted);
    return granted;
  } catch (error) {
    if (error.status !== 403) throw error;
    refuse(type);
  }
}

async function setPassword({ access_token: token, user }, password) {
  $('#link-words').textContent = `For ${user.email}.`;
  $('#choose [name=username]').defaultValue = user.email;
  await request('/auth/v1/user', { method: 'PUT', body: { password }, token }).catch((error) => {
    // Who chooses the password they had has the account they wanted.
    if (error.code !== 'same_password') throw error;
  });
}

function refuse(type, description) {
  const isInvitation = type === 'invite';
  face({
    title: 'This link does not work any more', form: isInvitation ? null : askAgain,
    words: `${description ? `${description}. ` : ''}A link works once, and not for long. `
      + (isInvitation ? 'Ask the person who invited you for a new one.' : 'Tell us your address, and a new link lets you choose a new password.'),
  });
  recover(askAgain);
}

function face({ title, words, form }) {
  for (const one of [choose, comeIn, askAgain]) one.hidden = one !== form;
  $('#link-words').textContent = words;
  $('#link-name').textContent = title;
  document.title = `${title} – Lectern`;
  only('link').querySelector('h1').focus();
}
