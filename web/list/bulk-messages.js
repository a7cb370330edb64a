// What is said of changes of everything that a query finds, which only the server can make.

import { t } from '../shared/locale/translate.js';

/** @type {Record<string, import('../shared/ui/messages.js').Message>} */
export const BULK_MESSAGES = {
  needsServer: {
    severity: 'warning',
    text: t('You are offline, and this needs the server. The links stay selected: try again once you are back online.'),
  },
  connectionLost: {
    severity: 'warning',
    text: t('The connection was lost before the server answered. Check later whether the links have changed.'),
  },
};
