// The HTTP client of the public API. It knows nothing of sessions: callers pass the access token.

import { t } from '../locale/translate.js';
import { failure, MESSAGES } from '../ui/messages.js';
import { noteNoResponse, noteResponse } from './connection.js';
import { serverURL } from './server.js';

const CONFIG_PATH = '/storage/v1/object/public/psreadthis/psreadthis-config.json';

/**
 * The server's public API key, fetched once per page load.
 * @type {Promise<{anonKey: string}> | undefined}
 */
let anonKey;

/** Ends the requests of a page that is about to be left. */
const leaving = new AbortController();

/**
 * Options of one request.
 * @typedef {object} RequestOptions
 * @property {string} [method] `GET` unless given
 * @property {object} [body] sent as JSON
 * @property {string} [token] access token, sent as a bearer token
 * @property {boolean} [keepalive] whether the request outlives the page
 * @property {Record<string, string>} [headers] added to the default headers
 * @property {(data: any, response: Response) => any} [transform] maps the parsed response to the result
 */

/**
 * An error response. Without a response, only `message` is set.
 * @typedef {Error & {status?: number, code?: string, said?: string, reasons?: string[], retryAfter?: number}}
 * RequestError `code` is that of the API, `said` its English message, `reasons` why a password is weak, and `retryAfter`
 *   in seconds (0 if the server named none)
 */

/**
 * Sends one request and returns the parsed JSON of the response (null if the response is not JSON).
 * @param {string} path absolute path with query
 * @param {RequestOptions} [options]
 * @returns {Promise<any>}
 * @throws {RequestError}
 */
export async function request(path, options = {}) {
  const { method = 'GET', body, token, keepalive, headers, transform = (data) => data } = options;
  const apikey = path === CONFIG_PATH ? undefined : await fetchAnonKey();
  const sentAt = performance.now();
  const response = await fetch(serverURL(path), {
    method,
    keepalive,
    signal: keepalive ? undefined : leaving.signal,
    cache: 'no-store',
    headers: {
      'Content-Type': 'application/json',
      Prefer: 'return=representation',
      ...(apikey && { apikey }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  }).catch(failWithoutResponse);
  noteResponse(sentAt);
  const data = await response.json().catch((error) => {
    // A body that was cut off is no response. By name, because Safari's error is a DOMException.
    if (response.ok && error.name !== 'SyntaxError') failWithoutResponse();
    return null;
  });
  if (!response.ok) throw await errorOf(response, data);
  return transform(data, response);
}

function failWithoutResponse() {
  if (!leaving.signal.aborted) noteNoResponse();
  throw failure(navigator.onLine ? MESSAGES.noResponse : MESSAGES.offline);
}

/** Aborts all requests, now and from now on, but those that outlive the page. */
export function abortRequests() {
  leaving.abort();
}

/**
 * Returns the server's public API key.
 * @returns {Promise<string>}
 * @throws {RequestError}
 */
export async function fetchAnonKey() {
  anonKey ??= request(CONFIG_PATH);
  try {
    return (await anonKey).anonKey;
  } catch (error) {
    anonKey = undefined;
    throw error;
  }
}

// These are the fields of all shapes of errors of the API.
async function errorOf(response, data) {
  return Object.assign(Error(await messageOf(response, data)), {
    status: response.status,
    code: data?.error_code ?? data?.code,
    said: data?.msg,
    reasons: data?.weak_password?.reasons ?? [],
    retryAfter: Number(response.headers.get('Retry-After')),
  });
}

/** What the server says of an error in the body `data`, in the language of the page. */
export async function messageOf({ status }, data) {
  const said = data?.msg ?? data?.message;
  if (!said) return t('The server returned status {status}.', { status: String(status) });
  return import('./error-texts.js').then(({ errorText }) => errorText(said), () => said);
}
