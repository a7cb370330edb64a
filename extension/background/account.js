// Signing in and out, and the test of the connection.

import { parseServers } from '../shared/server-address.js';
import { t } from '../shared/words.js';
import { failure, fetchAnonKey, rest, send, sessionOf } from './server.js';
import { note, readAccount, writeAccount } from './storage.js';

/**
 * Finds the Lectern server that answers at an address.
 * @param {string} address as typed; that of a page of the server will do
 * @returns {Promise<{server: string, anonKey: string}>} its address, without a slash at the end, and its public key
 */
export async function findServer(address) {
  const attempts = await Promise.allSettled(parseServers(address).map(async (server) => (
    { server, anonKey: await fetchAnonKey(server) })));
  const found = attempts.find(({ value }) => value);
  if (!found) throw attempts.at(-1).reason;
  return found.value;
}

/**
 * Signs in by password, which is not stored.
 * @param {{address: string, email: string, password: string}} values
 */
export async function signIn({ address, email, password }) {
  const { server, anonKey } = await findServer(address);
  const grant = await send(server, '/auth/v1/token?grant_type=password', {
    method: 'POST', headers: { apikey: anonKey }, body: { email, password },
  });
  await writeAccount({ server, anonKey, ...sessionOf(grant) });
  await note(t('Signed in at {server} as {email}.', { server, email: grant.user.email }));
}

/**
 * Signs in with a code that the account page shows. This browser gets an API token of its own.
 * @param {{address: string, code: string}} values
 */
export async function claimPairing({ address, code }) {
  const { server, anonKey } = await findServer(address);
  const claimed = await send(server, '/auth/v1/pairings/claim', {
    method: 'POST', headers: { apikey: anonKey }, body: { code: codeIn(code), device: 'Browser extension' },
  }).catch((error) => {
    if (error.code !== 'not_found') throw error;
    throw failure('missing', t('This server cannot pair browsers. Sign in with your password.'));
  });
  const { token, email } = claimed;
  const user = await send(server, '/auth/v1/user', { headers: { apikey: anonKey, Authorization: `Bearer ${token}` } });
  await writeAccount({ server, anonKey, token, email, user: user.id });
  await note(t('Paired with {server} as {email}.', { server, email }));
}

// The account page shows the code, and an address that ends with it.
function codeIn(text) {
  return text.trim().replace(/^.*#/s, '').slice(0, 200);
}

/**
 * Ends the session. What waits for this account stays until it signs in again.
 * @returns {Promise<string>} what is left to do
 */
export async function signOut() {
  const account = await readAccount();
  if (!account) return '';
  await writeAccount(undefined);
  await note(t('Signed out at {server}.', { server: account.server }));
  if (account.token) return t('This browser has forgotten its token. Revoke it on the account page of your server.');
  if (account.hasEnded) return '';
  await send(account.server, '/auth/v1/logout?scope=local', {
    method: 'POST', headers: { apikey: account.anonKey, Authorization: `Bearer ${account.access}` },
  }).catch(() => {});
  return '';
}

/** @returns {Promise<{server: string, email: string, hasEnded: boolean} | null>} what pages may know of the account */
export async function describeAccount() {
  const account = await readAccount();
  if (!account) return null;
  const { server, email, hasEnded = false } = account;
  return { server, email, hasEnded };
}

/**
 * Tests everything that saving needs.
 * @returns {Promise<string>} what was found
 */
export async function testConnection() {
  const account = await readAccount();
  if (!account) throw failure('signed-out', t('You are not signed in.'));
  await fetchAnonKey(account.server);
  const started = performance.now();
  await rest('links?select=id&limit=1').catch((error) => {
    // A token that may only save reads nothing.
    if (error.status !== 403 || !account.token) throw error;
  });
  const took = Math.round(performance.now() - started);
  await note(t('The test of the connection took {took} ms.', { took }));
  return t('The server answers as {email}, in {took} ms.', { email: account.email, took });
}
