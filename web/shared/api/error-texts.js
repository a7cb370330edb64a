// What the server says about a request that it refused, or about work that failed, in the language of the page. The
// server speaks English; what is not here stays as it is.

import { t } from '../locale/translate.js';
import { FILE_MESSAGES } from './file-texts.js';
import { SITE_MESSAGES } from './site-texts.js';

/** Messages of the server, by how they begin → their text. The groups of the expression are its values. */
const MESSAGES = [
  // Limits
  [/^this server allows (?<limit>\d+) links per user/, (values) =>
    t('This server allows {limit} links per user. Delete some links first; those in the trash do not count.', values)],
  [/^this server stores (?<size>.+) for each user/, (values) =>
    t('You have used up the {size} that this server stores for each user. Delete some links and empty the trash first.',
      values)],
  [/^a link can have at most (?<limit>\d+) highlights/, (values) =>
    t('A link can have at most {limit} highlights.', values)],
  [/^a collection cannot contain itself/, () => t('A collection cannot contain itself.')],
  [/^collections can be nested at most (?<limit>\d+) levels/, (values) =>
    t('Collections can be nested at most {limit} levels deep.', values)],
  [/^You have (?<limit>\d+) tokens, which is the maximum/, (values) =>
    t('You have {limit} tokens, which is the maximum. Revoke a token that you no longer need.', values)],
  [/^You have (?<limit>\d+) open reports/, (values) =>
    t('You have {limit} open reports, which is the maximum.', values)],
  [/^You already have (?<limit>\d+) files/, (values) =>
    t('You already have {limit} files that are waiting to be read. Try again when some of them are read.', values)],
  [/^There are (?<limit>\d+) subscriptions/, (values) =>
    t('You have {limit} feeds, which is the maximum. Unsubscribe from one first.', values)],
  [/^There are (?<limit>\d+) webhooks/, (values) =>
    t('You have {limit} webhooks, which is the maximum. Delete one first.', values)],
  [/^An export is already in progress/, () => t('An export is already in progress.')],
  // Searches
  [/^The key (?<key>\S+) has no value\. It takes (?<values>.+?)\.(?: |$)/, (values) =>
    t('The key {key} has no value. It takes {values}.', values)],
  [/^The key (?<key>\S+) cannot have the value (?<value>.*)\. It takes (?<values>.+?)\.(?: |$)/s, (values) =>
    t('The key {key} cannot have the value {value}. It takes {values}.', values)],
  [/^The query has more than (?<limit>\d+) (?:characters|terms)/, () => t('The search is too long.')],
  [/^An order cannot be negated/, () => t('An order cannot be negated. Remove the minus sign before sort.')],
  [/^The (?:query|rule) finds more than (?<limit>\d+) links/, (values) =>
    t('This would change more than {limit} links at once. Restrict the search, for example with before: or after:.',
      values)],
  [/^There is no such change of the last day/, () => t('This can no longer be undone.')],
  // Links, articles and books
  [/^There is no such link/, () => t('This link no longer exists.')],
  [/^No former article of this link is kept/, () => t('The previous version is no longer stored.')],
  [/^The server has not kept this page/, () =>
    t('The server has not kept this page. Fetch it again, or open the original.')],
  [/^the (?:page|copy) is larger than 10 MB/, () => t('The page is larger than 10 MB.')],
  [/^The query finds no link with an article/, () => t('There is no article among these links.')],
  [/^The book would have more than (?<limit>\d+) articles/, (values) =>
    t('The book would have more than {limit} articles.', values)],
  [/^A user can have at most (?<limit>\d+) books of several/, (values) =>
    t('You have {limit} books, which is the maximum. Delete some books first.', values)],
  [/^A user can have at most \d+ books (?:made|sent) in a day/, () =>
    t('You have reached the limit of books for one day. Try again tomorrow.')],
  [/^The address of your e-reader is not known/, () =>
    t('The address of your e-reader is not known. Enter it under Settings, Books.')],
  [/^Email not confirmed\. Ask/, () =>
    t('Your email address is not confirmed. Ask for a link under Settings, Books, and open it.')],
  [/^The book (?:has .+, and at most .+ can be sent|is larger than)/, () =>
    t('The book is too large for an email. Download it instead.')],
  // The server itself. The admin may have left a message of another wording.
  [/^The disk of the server is full/, () => t('The disk of the server is full.')],
  [/^The service is busy or restarting|^The database is temporarily/, () =>
    t('The server is busy or restarting. Try again in a moment.')],
  [/^The service (?:is not reachable|took too long)|^canceling statement/, () =>
    t('The server took too long to answer. Try again in a moment.')],
  [/^Too many (?:requests|sign-ins)/, () => t('Too many requests at once. Try again in a moment.')],
  [/^An internal error occurred \(request (?<id>.+)\)/, (values) =>
    t('An error has occurred on the server (request {id}).', values)],
  // PostgreSQL
  [/^new row .*row-level security|^permission denied|^You do not have access/, () =>
    t('You do not have permission to do this.')],
  [/^new row .*check constraint|^invalid input syntax|^value too long|^unsupported Unicode/, () =>
    t('The server does not accept this value.')],
  [/^duplicate key value/, () => t('This already exists.')],
  ...FILE_MESSAGES,
  ...SITE_MESSAGES,
];

/**
 * Returns a message of the server in the language of the page.
 * @param {string} message
 * @returns {string}
 */
export function errorText(message) {
  return knownText(message) ?? message;
}

/**
 * Returns a message of the server in the language of the page if it is one of those above.
 * @param {string} message
 * @returns {string | undefined}
 */
export function knownText(message) {
  for (const [pattern, text] of MESSAGES) {
    const match = pattern.exec(message);
    if (match) return text(match.groups ?? {});
  }
  return undefined;
}
