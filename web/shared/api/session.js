// The session of the signed-in user: starting it, sending requests with it, renewing it and ending it. Other
// tabs share the session, so every function reads it from storage.

import { t } from '../locale/translate.js';
import { removeCopiesOf, removeLocalData } from '../offline/local-data.js';
import { setFlashMessage } from '../ui/flash-message.js';
import { KEY_STORAGE, RENEWAL_MARGIN_MS } from '../links/link-requests.js';
import { abortRequests, fetchAnonKey, request } from './client.js';
import { serverURL } from './server.js';

// Error codes for a token that has expired or whose session was ended elsewhere. Renewing the session tells
// which.
const STALE_TOKEN_CODES = ['bad_jwt', 'session_not_found', 'user_not_found'];

/** The renewal in progress. Concurrent requests share it, because a refresh token works once. */
let renewal = null;

/**
 * The id of the user whose data this page shows, or undefined. Set by `reloadWhenUserChanges` and by signing
 * in.
 */
let pageUser;

/**
 * Renews and ends the session in place of this module: the service worker of the extension has the refresh token.
 * @type {SessionProvider | null}
 */
let provider = null;

/**
 * @typedef {object} SessionProvider
 * @property {() => Promise<Session>} renew throws an error of status 401 when the session has ended
 * @property {() => Promise<void>} end
 * @property {string} home the page that is shown without a session
 */

/**
 * @typedef {object} Session
 * @property {string} access access token
 * @property {string} refresh refresh token
 * @property {number} until when the access token expires, in milliseconds since the epoch
 * @property {string} user user id
 */

/**
 * Returns the stored session, or null when nobody is signed in.
 * @returns {Session | null}
 */
export function currentSession() {
  return JSON.parse(localStorage.getItem('session'));
}

/**
 * Stores a session, which signs this browser in.
 * @param {{access_token: string, refresh_token: string, expires_in: number, user: {id: string}}} grant the
 *   response of a token endpoint; `expires_in` is in seconds
 */
export function storeSession({ access_token: access, refresh_token: refresh, expires_in, user }) {
  const session = { access, refresh, until: Date.now() + expires_in * 1000, user: user.id };
  localStorage.setItem('session', JSON.stringify(session));
  pageUser = user.id;
}

/**
 * Makes another module renew and end the session.
 * @param {SessionProvider} other
 */
export function setSessionProvider(other) {
  provider = other;
}

/**
 * Requests a session and stores it.
 * @param {string} endpoint path below `/auth/v1/`, such as `signup` or `token?grant_type=password`
 * @param {object} body
 * @throws {import('./client.js').RequestError}
 */
export async function signIn(endpoint, body) {
  storeSession(await request(`/auth/v1/${endpoint}`, { method: 'POST', body }));
}

/**
 * Sends a request as the signed-in user. Renews the session shortly before it expires, and renews it and
 * repeats the request once if the server reports a stale token.
 * @param {string} path
 * @param {import('./client.js').RequestOptions} [options]
 * @returns {Promise<any>} as `request`
 * @throws {import('./client.js').RequestError}
 */
export async function authorizedRequest(path, options) {
  const send = () => request(path, { ...options, token: currentSession().access });
  const access = await freshToken();
  keepKey().catch(() => {});
  try {
    return await send();
  } catch (error) {
    if (error.status !== 401 && !STALE_TOKEN_CODES.includes(error.code)) throw error;
    await renewUnlessChanged(access);
    return send();
  }
}

/**
 * Sends a request to the REST API as the signed-in user.
 * @param {string} path below `/rest/v1/`
 * @param {import('./client.js').RequestOptions} [options]
 * @returns {Promise<any>}
 * @throws {import('./client.js').RequestError}
 */
export function restRequest(path, options) {
  return authorizedRequest(`/rest/v1/${path}`, options);
}

/**
 * Returns an access token that is valid for a while. Renews the session if it expires soon.
 * @returns {Promise<string>}
 * @throws {import('./client.js').RequestError}
 */
export async function freshToken() {
  const { access, until } = currentSession();
  if (until - Date.now() < RENEWAL_MARGIN_MS) await renewUnlessChanged(access);
  return currentSession().access;
}

// The first requests of the next visit need it.
async function keepKey() {
  const key = await fetchAnonKey();
  if (currentSession() && localStorage.getItem(KEY_STORAGE) !== key) localStorage.setItem(KEY_STORAGE, key);
}

// Does nothing if another request or another tab has replaced this access token since.
async function renewUnlessChanged(access) {
  if (currentSession().access !== access) return;
  renewal ??= renew().finally(() => {
    renewal = null;
  });
  await renewal;
}

async function renew() {
  try {
    if (provider) localStorage.setItem('session', JSON.stringify(await provider.renew()));
    else await signIn('token?grant_type=refresh_token', { refresh_token: currentSession().refresh });
  } catch (error) {
    if (error.code === 'user_banned') {
      endSession(t('This account is disabled. Contact the administrator.'), removeLocalData);
    } else if ([400, 401, 403].includes(error.status)) {
      endSession(t('Your session has ended. Please sign in again.'), removeCopiesOf);
    }
    throw error;
  }
}

/**
 * Removes the session and what else this browser has stored about the user, and loads a page, which discards what
 * this one holds.
 * @param {string} message shown on the loaded page; may be empty
 * @param {(user: string) => Promise<void>} remove removes what is stored beside the session
 * @param {string} [url] the page to load; this page unless given
 */
async function endSession(message, remove, url) {
  const user = currentSession()?.user;
  localStorage.clear();
  setFlashMessage(message);
  if (user) await remove(user).catch(() => {});
  if (url) location.replace(url);
  else location.reload();
}

/** Ends the session on the server (if it can be reached) and in this browser, and loads the home page. */
export async function signOut() {
  const token = currentSession().access;
  // The server would refuse them as soon as the session has ended.
  abortRequests();
  const end = provider?.end ?? (() => request('/auth/v1/logout?scope=local', { method: 'POST', token, keepalive: true }));
  await end().catch(() => {});
  endSession('', removeLocalData, provider?.home ?? serverURL('/'));
}

/**
 * Reloads the page, from now on, as soon as it shows the data of a user who is no longer the signed-in one:
 * after a change in another tab, or when the browser restores the page from its history.
 */
export function reloadWhenUserChanges() {
  pageUser = currentSession()?.user;
  const reloadIfChanged = () => {
    if (pageUser && currentSession()?.user !== pageUser) location.reload();
  };
  addEventListener('storage', ({ key }) => {
    // The key is null when another tab cleared the whole storage.
    if (key === 'session' || key === null) reloadIfChanged();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) reloadIfChanged();
  });
}
