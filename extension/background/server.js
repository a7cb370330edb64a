// Requests to the server. The service worker alone sends them, so that a refresh token is never used twice.

import { t } from '../shared/words.js';
import { note, readAccount, writeAccount } from './storage.js';

const CONFIG_PATH = '/storage/v1/object/public/psreadthis/psreadthis-config.json';

/** Milliseconds until a request without a response has failed. A page of 10 MB takes a minute at 1.5 Mbit/s. */
const TIMEOUT_MS = 20_000;
const PAGE_TIMEOUT_MS = 90_000;

/** A session is renewed this long before its access token expires. */
const RENEWAL_MARGIN_MS = 60_000;

/** Error codes for a token that has expired, or whose session or user is gone. */
const STALE_TOKEN_CODES = ['bad_jwt', 'session_not_found', 'user_not_found'];

const SIGN_IN_AGAIN = t('Your session has ended. Sign in again in the options; pages that are waiting are kept.');

/** What the server refuses while somebody signs in, by its error code. */
const REFUSALS = {
  invalid_credentials: t('Wrong e-mail address or password.'),
  otp_expired: t('The code is wrong, used or expired. Make a new one with "Pair a device" on the account page.'),
};

/**
 * Why a request failed: `unreachable` (no response, or not now), `signed-out`, `missing` (an older server), `refused`,
 * `unsavable` (a page without an address that could be saved).
 * @typedef {'unreachable' | 'signed-out' | 'missing' | 'refused' | 'unsavable'} FailureKind
 * @typedef {Error & {kind: FailureKind, status?: number, code?: string}} Failure
 */

/**
 * @param {Failure['kind']} kind
 * @param {string} message for the user
 * @param {object} [more]
 * @returns {Failure}
 */
export function failure(kind, message, more) {
  return Object.assign(Error(message), { kind, ...more });
}

/**
 * Sends one request and returns the parsed JSON of the response.
 * @param {string} server address without a slash at the end
 * @param {string} path
 * @param {{method?: string, body?: object, headers?: object, isPage?: boolean}} [options]
 * @returns {Promise<any>} null without JSON
 * @throws {Failure}
 */
export async function send(server, path, { method = 'GET', body, headers, isPage = false } = {}) {
  const response = await fetch(server + path, {
    method,
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.timeout(isPage ? PAGE_TIMEOUT_MS : TIMEOUT_MS),
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw failure('unreachable', t('{server} does not answer.', { server }));
  });
  const text = await response.text().catch(() => null);
  const data = parse(text);
  // Networks that want a sign-in of their own answer with a page, whatever is asked.
  if (response.ok && (text === null || (text && data === undefined))) {
    throw failure('unreachable', t('No Lectern server answers at {server}. Does your network want you to sign in?', {
      server,
    }));
  }
  if (response.ok) return data ?? null;
  const more = { status: response.status, code: data?.error_code ?? data?.code };
  const message = REFUSALS[more.code] ?? data?.msg ?? data?.message
    ?? t('The server returned status {status}.', { status: response.status });
  if (response.status === 429 || response.status >= 500) throw failure('unreachable', message, more);
  throw failure(more.code === 'PGRST202' ? 'missing' : 'refused', message, more);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the public key of the server at an address.
 * @param {string} server address without a slash at the end
 * @returns {Promise<string>}
 * @throws {Failure}
 */
export async function fetchAnonKey(server) {
  // Other servers do not let extensions read what they answer, so they look like none.
  const config = await send(server, CONFIG_PATH).catch(() => null);
  if (typeof config?.anonKey === 'string') return config.anonKey;
  throw failure('unreachable', t('No Lectern server answers at {server}. Check the address, and whether it runs.', {
    server,
  }));
}

/**
 * Sends a request to the REST API as the signed-in user. Renews the session when it has expired.
 * @param {string} path below `/rest/v1/`
 * @param {object} [options] as of `send`
 * @returns {Promise<any>}
 * @throws {Failure}
 */
export async function rest(path, options = {}) {
  const account = await freshAccount();
  const attempt = ({ server, anonKey, access, token }) => send(server, `/rest/v1/${path}`, {
    ...options,
    headers: {
      Prefer: 'return=representation', ...options.headers, apikey: anonKey, Authorization: `Bearer ${token ?? access}`,
    },
  });
  try {
    return await attempt(account);
  } catch (error) {
    if (error.status !== 401 && !STALE_TOKEN_CODES.includes(error.code)) throw error;
    if (account.token) return endSession(account);
    return attempt(await renew(account));
  }
}

/**
 * Returns what the page of the reading list needs to send requests itself. It gets no refresh token.
 * @returns {Promise<{server: string, anonKey: string, session: {access: string, until: number, user: string}}>}
 * @throws {Failure}
 */
export async function sessionForPage() {
  const { server, anonKey, user, token, access, until } = await freshAccount();
  // An API token is valid until it is revoked.
  const session = token ? { access: token, until: Number.MAX_SAFE_INTEGER, user } : { access, until, user };
  return { server, anonKey, session };
}

/** The renewal in progress. Requests at the same time share it, because a refresh token works once. */
let renewal = null;

async function freshAccount() {
  const account = await readAccount();
  if (!account) throw failure('signed-out', t('You are not signed in. Enter your server and sign in, in the options.'));
  if (account.hasEnded) throw failure('signed-out', SIGN_IN_AGAIN);
  const isFresh = account.token || Date.now() < account.until - RENEWAL_MARGIN_MS;
  return isFresh ? account : renew(account);
}

function renew(account) {
  renewal ??= exchange(account).finally(() => { renewal = null; });
  return renewal;
}

async function exchange(account) {
  const now = await readAccount();
  // Renewed by another request since, or signed out.
  if (now?.access !== account.access) return freshAccount();
  try {
    const grant = await send(account.server, '/auth/v1/token?grant_type=refresh_token', {
      method: 'POST', headers: { apikey: account.anonKey }, body: { refresh_token: account.refresh },
    });
    const renewed = { ...account, ...sessionOf(grant) };
    await writeAccount(renewed);
    return renewed;
  } catch (error) {
    if (error.kind === 'unreachable') throw error;
    return endSession(account);
  }
}

async function endSession(account) {
  await writeAccount({ ...account, hasEnded: true });
  await note(t('The server has ended the session.'));
  throw failure('signed-out', SIGN_IN_AGAIN);
}

/**
 * Returns the fields of an account from the response of a token endpoint.
 * @param {{access_token: string, refresh_token: string, expires_in: number, user: {id: string, email: string}}} grant
 * @returns {object}
 */
export function sessionOf({ access_token: access, refresh_token: refresh, expires_in, user }) {
  return { access, refresh, until: Date.now() + expires_in * 1000, user: user.id, email: user.email, hasEnded: false };
}
