// The options page.

import { setUpImports } from './imports-section.js';
import { setUpPolicies } from './pages-section.js';
import { showQueue, setUpQueue } from './queue-section.js';
import { setUpServer } from './server-section.js';
import { translateThisPage } from '../shared/translated-page.js';

await translateThisPage();

setUpServer(showQueue);
setUpPolicies();
setUpImports();
setUpQueue();
