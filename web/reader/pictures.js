// The pictures of an article. They are loaded from this server and never from the site: the URL that an image
// has in the article is only offered as a link. An image without a stored picture is replaced by a note that
// says why.

import { isOffline } from '../shared/api/connection.js';
import { serverURL } from '../shared/api/server.js';
import { restRequest } from '../shared/api/session.js';
import { EXTERNAL_LINK } from '../shared/links/external-link.js';
import { reasonText, t } from '../shared/locale/translate.js';
import { fetchPart } from '../shared/offline/offline-articles.js';
import { createElement } from '../shared/ui/elements.js';

/** Delays between requests while pictures are being fetched: the first one, its growth and its maximum. */
const FIRST_DELAY_MS = 700;
const BACKOFF = 1.4;
const MAX_DELAY_MS = 8000;

/** After this time, pictures that are still waiting are shown as missing. */
const GIVE_UP_AFTER_MS = 60_000;

const COLUMNS = 'source,state,reason,message,pictures(address,width,height)';

/** Image → the URL that it has in the article. */
const sources = new WeakMap();

/**
 * Number of the latest call of `showPictures`. Earlier calls stop when they see that there is a later one.
 */
let latestCall = 0;

/**
 * @typedef {object} PictureRow a row of the relation `link_pictures`
 * @property {string} source the URL in the article
 * @property {string} state `waiting`, `kept`, `failed` …
 * @property {string | null} message why there is no picture
 * @property {{address: string, width: number, height: number} | null} pictures the stored picture; sizes in
 *   pixels
 */

/**
 * Removes the source of an image, so that inserting the image into the page loads nothing, and remembers it.
 * Images with a `data:` URL keep theirs.
 * @param {HTMLImageElement} image
 */
export function detachSource(image) {
  const source = image.getAttribute('src') ?? '';
  for (const name of ['srcset', 'sizes']) image.removeAttribute(name);
  if (/^data:image\//i.test(source)) return;
  image.removeAttribute('src');
  sources.set(image, source);
}

/**
 * Shows the stored pictures of an article, and waits for those that are being fetched.
 * @param {HTMLElement} root contains the images
 * @param {string} linkId
 * @param {string} pageURL the URL of the article, which relative sources refer to
 */
export async function showPictures(root, linkId, pageURL) {
  latestCall += 1;
  const call = latestCall;
  const images = [...root.querySelectorAll('img')].filter((image) => sources.has(image));
  const missing = () => images.filter((image) => image.isConnected && !image.src);
  let hasRequested = false;
  let isUnavailable = false;
  let delay = FIRST_DELAY_MS;
  let waited = 0;

  while (images.length && call === latestCall) {
    const rows = await fetchRows(linkId);
    if (call !== latestCall) return;
    const rowBySource = new Map(rows.map((row) => [row.source, row]));
    const isWaiting = (image) => {
      const row = rowBySource.get(sources.get(image));
      // Without any rows, the server has not listed the article's pictures yet.
      return row ? row.state === 'waiting' : !rows.length && !isUnavailable;
    };

    // Articles saved before pictures were stored are listed on request.
    if (missing().some(isWaiting) && (!hasRequested || !rows.length)) {
      hasRequested = true;
      // False means that this server stores no pictures.
      isUnavailable = await requestPictures(linkId) === false;
    }
    const isDone = waited > GIVE_UP_AFTER_MS || !missing().some(isWaiting);
    for (const image of missing()) {
      const row = rowBySource.get(sources.get(image));
      if (row?.pictures) showPicture(image, row.pictures);
      else showNote(image, row, { pageURL, isWaiting: !isDone && isWaiting(image), onRetry });
    }
    if (isDone) return;
    await new Promise((resolve) => setTimeout(resolve, delay));
    waited += delay;
    delay = Math.min(delay * BACKOFF, MAX_DELAY_MS);
  }

  async function onRetry(button) {
    button.disabled = true;
    await requestPictures(linkId);
    showPictures(root, linkId, pageURL);
  }
}

function fetchRows(linkId) {
  const query = `link_id=eq.${linkId}&kind=eq.article&select=${COLUMNS}&limit=1000`;
  return fetchPart(linkId, 'pictures', () => restRequest(`link_pictures?${query}`)).catch(() => []);
}

// Without a network, no picture is on its way.
function requestPictures(linkId) {
  return restRequest('rpc/fetch_pictures', { method: 'POST', body: { link_id: linkId } }).catch(() => !isOffline());
}

function showPicture(image, { address, width, height }) {
  const note = image.nextElementSibling;
  const hadFocus = note === document.activeElement;
  if (note?.matches('.no-picture')) note.remove();
  Object.assign(image, { src: serverURL(`/pictures/${address}`), width, height, hidden: false });
  if (!hadFocus) return;
  image.tabIndex = -1;
  image.focus({ preventScroll: true });
}

// Hides the image and shows a note after it.
function showNote(image, row, { pageURL, isWaiting, onRetry }) {
  const sibling = image.nextElementSibling;
  const note = sibling?.matches('.no-picture') ? sibling : createElement('span', { className: 'no-picture' });
  const reason = isWaiting ? t('Fetching the picture…')
    : reasonText(row?.reason, row?.message) ?? t('This picture was not saved.');
  note.dataset.state = isWaiting ? 'waiting' : row?.state ?? 'none';
  // The description is in the language of the article, the reason in that of the user.
  const description = image.alt ? [createElement('bdi', {}, image.alt), ' — '] : [];
  note.replaceChildren(createElement('span', {}, ...description, createElement('bdi', {}, reason)));
  if (!isWaiting && row?.state === 'failed') note.append(createRetryButton(onRetry));
  const original = !isWaiting && createOriginalLink(image, pageURL);
  if (original) note.append(original);
  image.hidden = true;
  if (!note.parentNode) image.after(note);
}

function createRetryButton(onRetry) {
  const button = createElement('button', { type: 'button', textContent: t('Try again') });
  button.onclick = (event) => {
    // The image may be inside a link.
    event.preventDefault();
    // The note stays, and the button goes.
    const note = button.closest('.no-picture');
    note.tabIndex = -1;
    note.focus({ preventScroll: true });
    onRetry(button);
  };
  return button;
}

// Returns null for an image inside a link, and for a source that is not http or https.
function createOriginalLink(image, pageURL) {
  const source = sources.get(image);
  if (image.closest('a') || !URL.canParse(source, pageURL)) return null;
  const { href, protocol } = new URL(source, pageURL);
  if (!/^https?:$/.test(protocol)) return null;
  return createElement('a', { ...EXTERNAL_LINK, href, textContent: t('Open the original') });
}
