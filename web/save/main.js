// The page at `/save`: saves what another app or a bookmarklet gives in the address, or the files that an app has
// shared, once the user agrees. Opening it saves nothing. The values come from anywhere; they become values of fields,
// never markup.

import { addTag } from '../list/folders-api.js';
import { sendAndSignOut } from '../offline/sign-out.js';
import { serverURL } from '../shared/api/server.js';
import { currentSession, reloadWhenUserChanges, restRequest } from '../shared/api/session.js';
import { formatSize } from '../shared/format/numbers.js';
import { onSubmit } from '../shared/forms/form.js';
import { SELECT } from '../shared/links/link-requests.js';
import { isNewLink, savedText } from '../shared/links/saved-text.js';
import { parseTagNames } from '../shared/links/tag-names.js';
import { parseURL } from '../shared/links/typed-url.js';
import { t } from '../shared/locale/translate.js';
import { deleteLink, saveLink, updateLink } from '../shared/offline/offline-links.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { setUpFilesForm, tell } from './files-form.js';
import { receivePage } from './opener-page.js';
import { sharedPage } from './shared-page.js';

const element = (id) => document.getElementById(id);
const form = element('save-page');
const result = element('result');

/** The page that the opener has handed over, and its address. */
let sentPage = null;

function start() {
  element('logout').onclick = sendAndSignOut;
  reloadWhenUserChanges();
  if (!currentSession()) {
    location.replace(serverURL(`/?next=save&values=${encodeURIComponent(location.search.slice(1))}`));
    return;
  }
  for (const id of ['bar', 'page']) element(id).hidden = false;
  const page = sharedPage(location.search);
  const { url, tags, list } = form.elements;
  Object.assign(url, { defaultValue: page.url });
  Object.assign(tags, { defaultValue: page.tags.join(', ') });
  list.value = page.list;
  element('title').textContent = page.title;
  form.querySelector('button').focus();
  if (!page.url) url.focus();
  onSubmit(form, (values) => save(values, page.title));
  suggestTags();
  if (page.isFromOpener) takePage(page.url);
  if (page.isLost) tell(t('What was shared did not arrive. Share it again.'));
  if (page.hasNoLink) tell(t('There is no link in what was shared.'));
  if (page.share) takeFiles(page.share);
}

async function takeFiles(share) {
  const saveFiles = await setUpFilesForm(form, share);
  onSubmit(form, async ({ tags }) => saveFiles({ tags: parseTagNames(tags), list: form.elements.list.value }));
  form.querySelector('button').focus();
}

// The page is read here and sent with the link.
async function takePage(url) {
  tell(t('Waiting for the page…'));
  try {
    const { html, bytes } = await receivePage(url);
    sentPage = { url, html };
    tell(t('The page will be sent as you see it ({size}).', { size: formatSize(bytes) }));
  } catch (error) {
    tell(t('The page will not be sent as you see it: {reason} The server fetches it instead.', {
      reason: error.message,
    }));
  }
}

async function save(values, title) {
  const url = parseURL(values.url.trim());
  const list = form.elements.list.value;
  const names = parseTagNames(values.tags);
  if (sentPage?.url === url) {
    const link = await savePage({ ...sentPage, title: title || null, tags: names, list, status: 'unread' });
    showResult(link, { isNew: isNewLink(link) });
    return;
  }
  const link = await saveLink(url);
  const isNew = isNewLink(link);
  const changes = { ...(list === 'archive' && { list }), ...(isNew && title && !link.title && { title }) };
  if (Object.keys(changes).length) await updateLink(link.id, changes);
  for (const name of names) await addTag(link.id, name);
  showResult(link, { isNew });
}

// The server takes pages of at most 10 MB.
async function savePage(page) {
  const [link] = await restRequest(`rpc/save_page?${SELECT}`, { method: 'POST', body: page });
  return link;
}

function showResult(link, { isNew }) {
  form.hidden = true;
  result.hidden = false;
  result.querySelector('[role=status]').textContent = savedText(link);
  const [read, undo, close] = ['.read', '.undo', '.close'].map((name) => result.querySelector(name));
  read.href = `/#/link/${link.id}`;
  read.hidden = link.state === 'waiting';
  undo.hidden = !isNew;
  undo.onclick = busyWhile(async () => {
    await deleteLink(link.id);
    result.hidden = true;
    form.hidden = false;
    form.querySelector('button').focus();
  });
  // A browser closes only windows that a page has opened, as a bookmarklet does.
  close.hidden = !opener && history.length > 1;
  close.onclick = () => window.close();
  read.focus();
}

async function suggestTags() {
  const tags = await restRequest('tags?select=name&order=name&limit=1000').catch(() => []);
  element('tag-names').replaceChildren(...tags.map(({ name }) => new Option(name, name)));
}

start();
