// How often the user gets a digest by mail.

import { t } from '../shared/locale/translate.js';
import { showError, showToast } from '../shared/ui/toast.js';
import { askToConfirm } from './mail-sender.js';
import { readSetting, saveSetting } from './user-setting.js';

/** @param {HTMLSelectElement} choice its values are those of the column, and the empty text for null */
export async function setUpDigestSchedule(choice) {
  let choices = 0;
  async function showStored() {
    const number = choices;
    const stored = await readSetting('digest_schedule').catch(() => undefined);
    // The user may have chosen by now.
    if (stored !== undefined && number === choices) choice.value = stored ?? '';
  }
  choice.onchange = async () => {
    choices += 1;
    try {
      await saveSetting('digest_schedule', choice.value || null);
      showToast(t('Saved.'));
    } catch (error) {
      showError(error);
      await showStored();
    }
  };
  askToConfirm(choice.closest('section').querySelector('.unconfirmed'));
  await showStored();
}
