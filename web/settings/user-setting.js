// Single columns of the user's settings that are no reading settings.

import { syncedSettings, validSettings } from '../reader/settings/settings-values.js';
import { currentSession, restRequest } from '../shared/api/session.js';

/**
 * Returns a column of the user's settings; null without a row.
 * @param {string} column
 */
export async function readSetting(column) {
  const [row] = await restRequest(`user_settings?select=${column}`);
  return row?.[column] ?? null;
}

/**
 * Stores a column of the user's settings.
 * @param {string} column
 * @param {any} value
 */
export async function saveSetting(column, value) {
  const path = `user_settings?user_id=eq.${currentSession().user}&select=${column}`;
  const headers = { Prefer: 'return=representation' };
  const rows = await restRequest(path, { method: 'PATCH', body: { [column]: value }, headers });
  if (rows.length) return;
  // A new row has the settings of this browser, since the defaults of the table are others.
  const settings = syncedSettings(validSettings(JSON.parse(localStorage.getItem('reading-settings'))));
  await restRequest('user_settings', { method: 'POST', body: { ...settings, [column]: value } });
}
