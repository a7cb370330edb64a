import assert from 'node:assert/strict';
import { test } from 'node:test';

import { errorText } from '../../../../web/shared/api/error-texts.js';

test('what the server says is recognised, with its values', () => {
  const said = {
    'this server allows 100000 links per user':
      'This server allows 100000 links per user. Delete some links first; those in the trash do not count.',
    'this server stores 20 GB for each user, and you have used it up':
      'You have used up the 20 GB that this server stores for each user. Delete some links and empty the trash first.',
    'The key is cannot have the value no.thing. It takes unread, read or archived.':
      'The key is cannot have the value no.thing. It takes unread, read or archived.',
    'The key minutes has no value. It takes < or > and a number. The error is at character 9 of the query.':
      'The key minutes has no value. It takes < or > and a number.',
    'An internal error occurred (request 1a2b)': 'An error has occurred on the server (request 1a2b).',
    'canceling statement due to statement timeout': 'The server took too long to answer. Try again in a moment.',
    'new row for relation "links" violates check constraint "x"': 'The server does not accept this value.',
    'new row violates row-level security policy for table "links"': 'You do not have permission to do this.',
  };
  for (const [message, text] of Object.entries(said)) assert.equal(errorText(message), text);
});

test('what is not known, such as the message of an admin, stays as it is', () => {
  assert.equal(errorText('We are moving house until noon.'), 'We are moving house until noon.');
});
