// The e-reader that gets books by mail: its address, the sender that it must allow, and what became of the mails.

import { errorText } from '../shared/api/error-texts.js';
import { restRequest } from '../shared/api/session.js';
import { onSubmit } from '../shared/forms/form.js';
import { t, textParts } from '../shared/locale/translate.js';
import { createElement, createFactsLine, createTime } from '../shared/ui/elements.js';
import { showToast } from '../shared/ui/toast.js';
import { askToConfirm, mailSender } from './mail-sender.js';
import { readSetting, saveSetting } from './user-setting.js';

const MAILS = 'ereader_mails?select=title,recipient,state,reason,created_at&order=created_at.desc,id.desc&limit=10';
const STATES = { waiting: t('waiting to be sent'), sent: t('sent'), failed: t('not sent') };

/**
 * @param {HTMLElement} box
 * @returns {() => Promise<void>} shows the mails again
 */
export function setUpEreader(box) {
  const form = box.querySelector('form');
  const field = form.elements.address;
  let isSaved = false;
  onSubmit(form, async ({ address }) => {
    await saveSetting('ereader_email', address.trim() || null);
    showToast(address.trim() ? t('Saved.') : t('The address is removed.'));
    isSaved = true;
    // What the form shows when it is reset after this.
    field.defaultValue = address.trim();
  });
  readSetting('ereader_email').then((address) => {
    // The default leaves alone what the user is typing, but it would replace an address that was saved since.
    if (!isSaved) field.defaultValue = address ?? '';
  }).catch(() => {});
  showSender(box.querySelector('.sender'));
  askToConfirm(box.querySelector('.unconfirmed'));
  const showMails = async () => {
    const mails = await restRequest(MAILS).catch(() => []);
    box.querySelector('.sent').hidden = !mails.length;
    box.querySelector('.sent ul').replaceChildren(...mails.map(createRow));
  };
  showMails();
  return showMails;
}

async function showSender(hint) {
  const { address } = await mailSender();
  if (address === undefined) return;
  hint.replaceChildren(...address
    ? textParts('Amazon and others accept mail only from senders that you have allowed. Allow {address} there.',
      { address: createElement('code', {}, address) })
    : [t('This server is not set up to send email. Ask its admin to set LECTERN_SMTP_URL.')]);
}

function createRow({ title, recipient, state, reason, created_at }) {
  const row = createElement('li', {}, createElement('div', {},
    createElement('p', { className: 'head', dir: 'auto' }, title),
    createFactsLine(STATES[state], recipient, createTime(created_at)),
    reason && createElement('p', { className: state === 'failed' ? 'error' : 'facts' }, errorText(reason))));
  row.dataset.state = state;
  return row;
}
