// Asks the server for the list or the article that the home page was opened for. It runs as soon as it is loaded, while
// the page is still being parsed and its styles are on their way.

import { parseRoute } from './route.js';
import { articlePath, listPath, PAGE_SIZE, sendEarly } from '../shared/links/link-requests.js';

const session = JSON.parse(localStorage.getItem('session'));
const { linkId, list } = parseRoute(location.hash);

if (session && linkId) sendEarly(session, [articlePath(linkId)]);
else if (session && list && !location.search) sendEarly(session, [listPath(list, PAGE_SIZE)]);
