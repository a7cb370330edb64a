// What the extension keeps in its local storage: the account, the settings and the log. Passwords are never stored.

/**
 * The signed-in account: a session of a user, or an API token.
 * @typedef {object} Account
 * @property {string} server address without a slash at the end
 * @property {string} anonKey
 * @property {string} user id
 * @property {string} email
 * @property {string} [access] access token
 * @property {string} [refresh] refresh token
 * @property {number} [until] when the access token expires, in milliseconds since the epoch
 * @property {string} [token] an API token, instead of a session
 * @property {boolean} [hasEnded] whether the server has ended the session
 *
 * @typedef {object} Settings
 * @property {import('../shared/policy.js').Policy} [policy]
 * @property {Record<string, import('../shared/policy.js').Policy>} [sites] by host
 * @property {boolean} [badge] whether saved pages get a badge
 * @property {boolean} [copies] whether a copy of each saved page is kept as it looks
 */

/** The number of lines that the log keeps. */
const LOG_LINES = 200;

/** @returns {Promise<Account | undefined>} */
export async function readAccount() {
  return (await chrome.storage.local.get('account')).account;
}

/** @param {Account | undefined} account */
export async function writeAccount(account) {
  if (account) await chrome.storage.local.set({ account });
  else await chrome.storage.local.remove('account');
}

/** @returns {Promise<Settings>} */
export async function readSettings() {
  return (await chrome.storage.local.get('settings')).settings ?? {};
}

/**
 * @param {Partial<Settings>} changes
 * @returns {Promise<Settings>}
 */
export async function changeSettings(changes) {
  const settings = { ...await readSettings(), ...changes };
  await chrome.storage.local.set({ settings });
  return settings;
}

/** @returns {Promise<{at: string, text: string}[]>} the newest line first */
export async function readLog() {
  return (await chrome.storage.local.get('log')).log ?? [];
}

/** Lines are added one after the other, since each is a read and a write. */
let writing = Promise.resolve();

/**
 * Adds a line to the log.
 * @param {string} text without tokens, passwords and contents of pages
 * @returns {Promise<void>}
 */
export function note(text) {
  writing = writing.then(async () => {
    const line = { at: new Date().toISOString(), text: text.slice(0, 500) };
    await chrome.storage.local.set({ log: [line, ...await readLog()].slice(0, LOG_LINES) });
  }).catch(() => {});
  return writing;
}

/** @returns {Promise<void>} */
export async function clearLog() {
  await chrome.storage.local.remove('log');
}
