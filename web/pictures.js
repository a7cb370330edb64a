// Pictures of our own. What an article shows comes from this server or not at all: the address a picture has on the web is only
// ever a link to open. Where ours is not there, its place says why.
import { signed } from './session.js';
const ask = (path, options) => signed('/rest/v1/' + path, options);
const FIELDS = 'source,state,message,pictures(address,width,height)';
const sources = new WeakMap();  // img → its address on the web
let visit = 0;  // which article is open: whoever waits for an older one's pictures stops
const own = (row) => row?.pictures && '/pictures/' + row.pictures.address;

// Before an image comes into the page: from here on it asks nobody.
export function park(image) {
  const source = image.getAttribute('src') ?? '';
  for (const name of ['srcset', 'sizes']) image.removeAttribute(name);
  if (/^data:image\//i.test(source)) return;
  image.removeAttribute('src'); sources.set(image, source);
}

// Shows the pictures of an article, and waits for those that are on their way.
export async function showPictures(root, link, page) {
  const mine = ++visit, images = [...root.querySelectorAll('img')].filter((image) => sources.has(image));
  const wanted = () => images.filter((image) => image.isConnected && !image.src);
  let hasAsked = false, isNone = false;
  for (let pause = 700, waited = 0; images.length && mine === visit; pause = Math.min(pause * 1.4, 8_000)) {
    const rows = await ask(`link_pictures?link_id=eq.${link}&kind=eq.article&select=${FIELDS}&limit=1000`).catch(() => []);
    if (mine !== visit) return;
    const bySource = new Map(rows.map((row) => [row.source, row]));
    const isComing = (image) => (bySource.get(sources.get(image))?.state ?? (rows.length || isNone ? '' : 'waiting')) === 'waiting';
    // Listed when the article was saved, or now that it is read; or never, where no pictures are kept.
    if (wanted().some(isComing) && (!hasAsked || !rows.length)) {
      hasAsked = true;
      isNone = await ask('rpc/fetch_pictures', { method: 'POST', body: { link_id: link } }).catch(() => true) === false;
    }
    const isOver = waited > 60_000 || !wanted().some(isComing);
    for (const image of wanted()) place(image, bySource.get(sources.get(image)), page, !isOver && isComing(image), again);
    if (isOver) return;
    await new Promise((done) => setTimeout(done, pause)); waited += pause;
  }
  async function again(button) {
    button.disabled = true;
    await ask('rpc/fetch_pictures', { method: 'POST', body: { link_id: link } }).catch(() => {});
    showPictures(root, link, page);
  }
}

function place(image, row, page, isComing, again) {
  const next = image.nextElementSibling, note = next?.matches('.no-picture') ? next : Object.assign(document.createElement('span'), { className: 'no-picture' });
  if (own(row)) {
    const { width, height } = row.pictures;
    note.remove();
    return Object.assign(image, { src: own(row), width, height, hidden: false });
  }
  const words = document.createElement('span'), open = document.createElement('a');
  words.textContent = [image.alt, isComing ? 'Fetching the picture …' : row?.message ?? 'This picture is not kept here.'].filter(Boolean).join(' — ');
  note.replaceChildren(words); note.dataset.state = isComing ? 'waiting' : row?.state ?? 'none';
  if (!isComing && row?.state === 'failed') {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Try again' });
    button.onclick = (event) => { event.preventDefault(); again(button); }; note.append(button);
  }
  if (!isComing && !image.closest('a') && URL.canParse(sources.get(image), page)) {
    Object.assign(open, { href: new URL(sources.get(image), page).href, target: '_blank', rel: 'noopener noreferrer', referrerPolicy: 'no-referrer', textContent: 'Open the original' });
    if (/^https?:/.test(open.protocol)) note.append(open);
  }
  image.hidden = true; if (!note.parentNode) image.after(note);
}

// The picture and the site's sign of links in a list: link id → { preview, icon }.
export async function listPictures(ids) {
  const found = new Map();
  if (!ids.length) return found;
  const rows = await ask(`link_pictures?link_id=in.(${ids})&kind=in.(preview,icon)&state=eq.kept&select=link_id,kind,pictures(address)`).catch(() => []);
  for (const row of rows) if (own(row)) found.set(row.link_id, { ...found.get(row.link_id), [row.kind]: own(row) });
  return found;
}
