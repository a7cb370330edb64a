// How often the user gets a digest by mail.

import { t } from '../shared/locale/translate.js';
import { showError, showToast } from '../shared/ui/toast.js';
import { askToConfirm } from './mail-sender.js';
import { readSetting, saveSetting } from './user-setting.js';

/** @param {HTMLSelectElement} choice its values are those of the column, and the empty text for null */
export async function setUpDigestSchedule(choice) {
  choice.onchange = async () => {
    try {
      await saveSetting('digest_schedule', choice.value || null);
      showToast(t('Saved.'));
    } catch (error) {
      showError(error);
      await show(choice);
    }
  };
  askToConfirm(choice.closest('section').querySelector('.unconfirmed'));
  await show(choice);
}

async function show(choice) {
  choice.value = await readSetting('digest_schedule').catch(() => null) ?? '';
}
