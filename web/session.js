// The session: how it begins, what is asked in its name, how it is renewed and how it ends. Other tabs share it, so it is
// always read from storage.
const CONFIG = '/storage/v1/object/public/psreadthis/psreadthis-config.json';
// What the service says of a token that is too old, or whose session somebody has ended. A renewal tells which.
const STALE = ['bad_jwt', 'session_not_found', 'user_not_found'];
export const session = () => JSON.parse(localStorage.getItem('session'));
let anonKey, renewal, whose = session()?.user;

/** One request; its answer as JSON, or what `take` makes of that, or an error with `status`, `code`, `reasons` and `retryAfter` (seconds). */
export async function request(path, { method = 'GET', body, token, keepalive, headers: more, take = (data) => data } = {}) {
  if (path !== CONFIG) anonKey ??= (await request(CONFIG)).anonKey;
  const keys = { ...anonKey && { apikey: anonKey }, ...token && { Authorization: `Bearer ${token}` } };
  const headers = { 'Content-Type': 'application/json', Prefer: 'return=representation', ...keys, ...more };
  const answer = await fetch(path, { method, headers, keepalive, cache: 'no-store', body: body && JSON.stringify(body) }).catch(() => {
    throw Error(navigator.onLine ? 'The server does not answer. Try again in a moment.' : 'You are offline.');
  });
  const data = await answer.json().catch(() => null);
  if (answer.ok) return take(data, answer);
  throw Object.assign(Error(data?.msg ?? data?.message ?? `The server answered ${answer.status}.`), {
    status: answer.status, code: data?.error_code ?? data?.code, reasons: data?.weak_password?.reasons ?? [],
    retryAfter: Number(answer.headers.get('Retry-After')),
  });
}

/** Signs this browser in with what a grant was answered. */
export function keep({ access_token: access, refresh_token: refresh, expires_in, user }) {
  localStorage.setItem('session', JSON.stringify({ access, refresh, until: Date.now() + expires_in * 1000, user: user.id }));
  whose = user.id;
}

export const enter = async (grant, body) => keep(await request('/auth/v1/' + grant, { method: 'POST', body }));

/** A request in the name of who is signed in, whose session is renewed before it ends and when it has ended. */
export async function signed(path, options) {
  const { access, until } = session();
  const ask = () => request(path, { ...options, token: session().access });
  const renewOnce = () => session().access !== access || (renewal ??= renew().finally(() => { renewal = null; }));
  if (until - Date.now() < 60_000) await renewOnce();
  return ask().catch(async (error) => {
    if (error.status !== 401 && !STALE.includes(error.code)) throw error;
    await renewOnce();
    return ask();
  });
}

const renew = () => enter('token?grant_type=refresh_token', { refresh_token: session().refresh }).catch((error) => {
  if (error.code === 'user_banned') leave('This account is disabled. Ask the person who runs this service.');
  else if ([400, 401, 403].includes(error.status)) leave('Your session has ended. Please sign in again.');
  throw error;
});

/** Forgets the session. Loading anew is the surest way to forget all that belongs to a user. */
export function leave(words, place) {
  localStorage.removeItem('session');
  say(words);
  if (place) location.replace(place); else location.reload();
}

export async function signOut() {
  await request('/auth/v1/logout?scope=local', { method: 'POST', token: session().access }).catch(() => {});
  leave('', '/');
}

/** Words for the page that is loaded next. */
export const say = (words) => sessionStorage.setItem('words', words);

export function said() {
  const words = sessionStorage.getItem('words');
  sessionStorage.removeItem('words');
  return words;
}

// Nothing of a user stays on a page once somebody else, or nobody, is signed in: in another tab, or before this page was
// come back to.
const check = () => whose && session()?.user !== whose && location.reload();
addEventListener('storage', ({ key }) => (key === 'session' || key === null) && check());
addEventListener('pageshow', ({ persisted }) => persisted && check());
