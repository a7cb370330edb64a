// The section with what the user has stored on the server, and how much is allowed.

import { restRequest } from '../shared/api/session.js';
import { formatNumber, formatSize } from '../shared/format/numbers.js';
import { t } from '../shared/locale/translate.js';

/** @param {HTMLElement} section */
export async function setUpUsage(section) {
  const status = section.querySelector('.list-status');
  const retry = section.querySelector('.retry');
  retry.onclick = () => setUpUsage(section);
  status.textContent = '';
  retry.hidden = true;
  try {
    const { links, bytes } = await restRequest('rpc/usage', { method: 'POST', body: {} });
    section.querySelector('.links').textContent = amount(links, formatNumber);
    section.querySelector('.bytes').textContent = amount(bytes, formatSize);
  } catch (error) {
    status.textContent = error.message;
    retry.hidden = false;
  }
}

function amount({ used, allowed }, format) {
  return allowed === null ? format(used) : t('{used} of {allowed}', { used: format(used), allowed: format(allowed) });
}
