// How often the user gets a digest by mail.

import { syncedSettings, validSettings } from '../reader/settings/reading-settings.js';
import { currentSession, restRequest } from '../shared/api/session.js';
import { t } from '../shared/locale/translate.js';
import { showToast } from '../shared/ui/toast.js';

/** @param {HTMLSelectElement} choice its values are those of the column, and the empty text for null */
export async function setUpDigestSchedule(choice) {
  choice.onchange = async () => {
    try {
      await save(choice.value || null);
      showToast(t('Saved.'));
    } catch (error) {
      showToast(error.message);
      await show(choice);
    }
  };
  await show(choice);
}

async function show(choice) {
  const [row] = await restRequest('user_settings?select=digest_schedule').catch(() => []);
  choice.value = row?.digest_schedule ?? '';
}

async function save(digest_schedule) {
  const path = `user_settings?user_id=eq.${currentSession().user}&select=digest_schedule`;
  const headers = { Prefer: 'return=representation' };
  const rows = await restRequest(path, { method: 'PATCH', body: { digest_schedule }, headers });
  if (rows.length) return;
  // A new row has the settings of this browser, since the defaults of the table are others.
  const settings = syncedSettings(validSettings(JSON.parse(localStorage.getItem('reading-settings'))));
  await restRequest('user_settings', { method: 'POST', body: { ...settings, digest_schedule } });
}
