// Requests that need the password of the signed-in user.

import { authorizedRequest } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';

/**
 * Sends a request as `authorizedRequest`. An error about a wrong password belongs to the field of the password.
 * @param {string} path
 * @param {string} method
 * @param {object} body contains the password as `password` or `current_password`
 * @returns {Promise<any>}
 * @throws {import('../shared/api/client.js').RequestError}
 */
export async function passwordRequest(path, method, body) {
  try {
    return await authorizedRequest(path, { method, body });
  } catch (error) {
    if (error.code !== 'invalid_credentials') throw error;
    const field = 'current_password' in body ? 'current_password' : 'password';
    throw Object.assign(Error(t('This is not your password.')), { field });
  }
}
