// How often the user gets a digest by mail.

import { t } from '../shared/locale/translate.js';
import { showError, showToast } from '../shared/ui/toast.js';
import { askToConfirm } from './mail-sender.js';
import { readSetting, saveSetting } from './user-setting.js';

/** @param {HTMLSelectElement} choice its values are those of the column, and the empty text for null */
export async function setUpDigestSchedule(choice) {
  let isChosen = false;
  choice.onchange = async () => {
    isChosen = true;
    try {
      await saveSetting('digest_schedule', choice.value || null);
      showToast(t('Saved.'));
    } catch (error) {
      showError(error);
      choice.value = await stored();
    }
  };
  askToConfirm(choice.closest('section').querySelector('.unconfirmed'));
  const value = await stored();
  // The user may have chosen by now.
  if (!isChosen) choice.value = value;
}

async function stored() {
  return await readSetting('digest_schedule').catch(() => null) ?? '';
}
