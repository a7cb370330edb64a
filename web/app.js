// The reader at `/`: a client of the public API like any other. Data becomes text nodes, never markup; the one thing
// that arrives as HTML, the article, is sanitised by the server and passes through an inert document here.
import { openDoor } from './door.js';
import { shown } from './entities.js';
import { onSubmit } from './forms.js';
import { showMerges } from './merges.js';
import { address, host, titleOf } from './naming.js';
import { showOrphans } from './orphans.js';
import { listPictures, park, showPictures } from './pictures.js';
import { request, said, session, signed, signOut } from './session.js';
import { tell, UNDO_MS } from './toast.js';
const PAGE = 50, PLACES = { account: '/account/', queue: '/queue/' };
const COLUMNS = 'select=id,raw_url,resolved_url,title,title_is_text,description,description_is_text,list,status,is_starred,updated_at,state,reason,reason_message,word_count,reading_time';
const $ = (selector, root = document) => root?.querySelector(selector);
const view = Object.fromEntries([...document.querySelectorAll('[id]')].map((element) => [element.id, element]));
const { door, bar, list, links, reader, help } = view;
const known = new Map(), doomed = new Map();  // id → link; id → timer of a deletion that can still be undone
const fresh = new Map();  // id of a link that was fetched just now → how often it is still looked for
let page = {}, opened, watching, pause;
const api = (path, options) => signed('/rest/v1/' + path, options);
// The list. `page` is what it shows, how far it got, and whether more is on its way.
const minutes = ({ reading_time, word_count }) => reading_time ?? (word_count && Math.ceil(word_count / 200));
const facts = (row, ...others) => [...others, minutes(row) && `${minutes(row)} min`].filter(Boolean).join(' · ');
// Where a browser may show more than the server was shown.
const SENDABLE = /^(no_article|consent_wall|login_wall|bot_challenge)$/;
// A page that was too much, or is for subscribers: a part is kept, and the reason says so.
const isPart = (link) => link.hasArticle && link.state === 'ready' && !!link.reason_message;
const card = (id) => $(`[data-id="${id}"]`, links), tab = (name) => $(`[href="#/${name}"]`, bar);
function paint(link) {
  for (const root of [card(link.id), opened === link.id && reader].filter(Boolean)) {
    const pressed = { read: link.status === 'read', star: link.is_starred, archive: link.list === 'archive' }, state = $('.state', root);
    for (const name in pressed) $(`[data-do=${name}]`, root).ariaPressed = pressed[name];
    Object.assign(root.dataset, { state: link.state, status: link.status });
    state.textContent = `${link.reason_message ?? ''} ${link.state === 'pending' ? 'Fetching the page …' : ''}`.trim() || 'No article was found on this page.';
    state.hidden = root === reader ? link.hasArticle && !isPart(link) : link.state === 'ready';
    $('.to-queue', root).hidden = link.state !== 'pending' || !link.reason_message;
    $('[data-do=retry]', root).hidden = link.state === 'pending' || state.hidden || root === reader && isPart(link);
    if (root === reader) { view.how.hidden = state.hidden || link.state === 'pending' || !SENDABLE.test(link.reason); continue; }
    root.hidden = doomed.has(link.id) || link.list !== page.list;
    Object.assign($('h2 a', root), { href: '#/link/' + link.id, textContent: titleOf(link) });
    $('.about', root).textContent = shown(link.description, link.description_is_text);
    $('.meta span', root).textContent = facts(link, host(link));
    for (const [name, kind] of [['.icon', 'icon'], ['.preview', 'preview']]) {
      const image = $(name, root), source = link.pictures?.[kind];
      image.hidden = !source; if (source && image.getAttribute('src') !== source) image.src = source;
    }
  }
  remark();
}
function add(row, first) {
  known.set(row.id, Object.assign(known.get(row.id) ?? {}, row));
  const item = card(row.id) ?? $('li', view.card.content).cloneNode(true);
  if (!item.dataset.id) $('.tools', item).append(view.actions.content.cloneNode(true));
  item.dataset.id = row.id;
  if (first) links.prepend(item); else if (!item.parentNode) links.append(item);
  paint(known.get(row.id));
}
async function adorn(ids) {
  for (const [id, pictures] of await listPictures(ids)) if (known.has(id)) paint(Object.assign(known.get(id), { pictures }));
}
function remark(error) {
  const isEmpty = page.list && !page.more && !$('li:not([hidden])', links);
  [view.note.textContent, view.again.hidden] = [error ? error.message : isEmpty ? tab(page.list).dataset.empty : '', !error];
}
async function load() {
  const into = page, { updated_at: T, id: I } = into.last ?? {}, order = `order=updated_at.desc.nullslast,id.desc&limit=${PAGE}`;
  const after = I ? '&or=' + encodeURIComponent(`(updated_at.lt.${T},and(updated_at.eq.${T},id.lt.${I}))`) : '';
  if (into.busy || !into.more) return;
  into.busy = links.ariaBusy = true;
  const rows = await api(`links?${COLUMNS}&list=eq.${into.list}&${order}${after}`).catch((error) => error);
  if (into !== page) return;
  into.busy = links.ariaBusy = false; if (rows instanceof Error) return remark(rows);
  [into.more, into.last] = [rows.length === PAGE, { ...rows.at(-1) }];
  rows.forEach((row) => add(row)); remark(); watch(2000); scrolled(); adorn(rows.map((row) => row.id));
}
const scrolled = () => !list.hidden && view.again.hidden && scrollY + innerHeight > 0.8 * document.body.scrollHeight && load();
function watch(first) {  // asks for news while something is pending, ever more seldom, and a few times more: where it led may be there already
  clearTimeout(watching); pause = first ?? Math.min(pause * 1.4, 20_000);
  const ids = [...known.values()].filter((link) => link.state === 'pending' || fresh.has(link.id)).map((link) => link.id).slice(0, 100);
  if (ids.length) watching = setTimeout(async () => {
    const rows = await api(`links?${COLUMNS}&id=in.(${ids})`).catch(() => null), lost = new Set(rows && ids);
    for (const row of rows ?? []) {
      lost.delete(row.id); if (row.state === 'pending') continue;
      if (fresh.has(row.id) && known.get(row.id)?.state !== 'pending') { look(row.id); continue; }
      fresh.set(row.id, 3);
      if (known.has(row.id)) paint(Object.assign(known.get(row.id), row));
      // Its pictures follow the page.
      setTimeout(adorn, 4_000, [row.id]);
      if (row.id === opened) read(row.id); else tell(`${row.state === 'ready' ? 'Ready' : 'Not fetched'}: ${titleOf(row)}`);
    }
    for (const id of lost) await follow(id).catch(() => {});
    watch();
  }, pause);
}
const look = (id, left = fresh.get(id) - 1) => left ? fresh.set(id, left) : fresh.delete(id);
async function follow(id) {  // a link that is no more: where it led turned out to be there already
  const [row] = await api(`links?${COLUMNS}&id=eq.${id}`);
  card(id)?.remove(); known.delete(id); fresh.delete(id); remark();
  if (row) tell(`You have this already: ${titleOf(row)}`);
  if (row?.list === page.list) add(row, true);
  if (opened === id && row) location.replace('#/link/' + row.id);
}
// What can be done with a link.
async function save(text) {
  const url = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : 'https://' + text, body = { raw_url: url, list: 'read', status: 'unread' };
  if (!/^https?:\/\/[^\s/?#]+([/?#]|$)/i.test(url) || !URL.canParse(url)) throw Error('This is no web address. One begins with https://');
  const again = () => api(`links?raw_url=eq.${encodeURIComponent(url)}&${COLUMNS}`, { method: 'PATCH', body });
  const [row] = await api('links?' + COLUMNS, { method: 'POST', body }).catch((error) => { if (error.status === 409) return again(); throw error; });
  tell(row.state === 'ready' || row.raw_url !== url ? 'You have this already. It is on top of the list again.' : 'Saved.');
  if (page.list === 'read') { add(row, true); watch(1000); } else location.hash = '#/read';
}
async function change(link, body) {
  const before = { ...link }; paint(Object.assign(link, body));
  const row = await api(`links?id=eq.${link.id}&${COLUMNS}`, { method: 'PATCH', body }).then((rows) => rows[0], (error) => tell(error.message));
  paint(Object.assign(link, row ?? before)); if (row?.list === page.list && !card(row.id)) add(row, true);
}
async function bury(id) {
  const gone = await api(`links?id=eq.${id}`, { method: 'DELETE' }).catch((error) => tell(error.message)); doomed.delete(id);
  if (gone) { known.delete(id); fresh.delete(id); } else if (known.has(id)) paint(known.get(id));
}
const actions = {
  read: (link) => change(link, { status: link.status === 'read' ? 'unread' : 'read' }),
  star: (link) => change(link, { is_starred: !link.is_starred }),
  retry: (link) => change(link, { state: 'pending' }).then(() => watch(1000)),
  archive(link, from = link.list, to = from === 'read' ? 'archive' : 'read') {
    change(link, { list: to }); tell(`Moved to ${tab(to).textContent}.`, () => change(link, { list: from }));
  },
  delete(link) {  // for good only when nobody undid it, or when the page is left
    doomed.set(link.id, setTimeout(bury, UNDO_MS, link.id)); paint(link);
    tell('Deleted.', () => { clearTimeout(doomed.get(link.id)); doomed.delete(link.id); paint(link); });
  },
};
const step = (from, by, cards = [...links.querySelectorAll('li:not([hidden])')]) => cards[cards.indexOf(from) + by];
function act(name, root) {
  const link = known.get(root === reader ? opened : root?.dataset.id), next = step(root, 1) ?? step(root, -1) ?? bar;
  if (link) actions[name]?.(link); if (root?.hidden) $('a', next).focus();
  if (root === reader && (name === 'archive' || name === 'delete')) view.back.click();
}
// The article.
const KEPT = /^(href|src|srcset|sizes|alt|title|colspan|rowspan|dir|lang|width|height|datetime|start|open)$/;
const SIGNS = /^(math|m(i|n|o|s|text|row|frac|sqrt|root|style|phantom|su[bp]|subsup|under|over|underover|multiscripts|table|t[rd]|space|prescripts)|none)$/;
const SIGNED = /^(dir|display|displaystyle|mathvariant|stretchy|fence|separator|symmetric|largeop|movablelimits|accent|accentunder|form|linethickness|columnalign|columnspan)$/;
const OURS = /^lct-/;  // before every id of an article: a link to one is a footnote, or the way back
const DROPPED = 'source,iframe,video,audio,object,embed,script,style,link,meta,base,form,input,button,textarea,select,svg,template';
function safe(html, base) {  // the server has cleaned it; this is the second lock
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const web = (text) => URL.canParse(text, base) && /^(https?|mailto):/.test(new URL(text, base).protocol) ? new URL(text, base).href : '';
  for (const element of body.querySelectorAll('*')) {
    const isSign = element.namespaceURI !== body.namespaceURI;  // formulas hold signs, and signs nothing but formulas
    if (isSign ? !SIGNS.test(element.localName) : element.closest('math')) { element.remove(); continue; }
    const keeps = (name, value) => (isSign ? SIGNED : KEPT).test(name) || (name === 'id' && OURS.test(value));
    for (const { name, value } of [...element.attributes]) if (!keeps(name, value)) element.removeAttribute(name);
    const href = element.getAttribute('href') ?? '', link = { href: web(href), target: '_blank', rel: 'noopener noreferrer', referrerPolicy: 'no-referrer' };
    if (element.matches('a[href]') && !OURS.test(href.slice(1))) Object.assign(element, link);
    if (element.matches('img')) { park(element); Object.assign(element, { loading: 'lazy', referrerPolicy: 'no-referrer' }); }
    if (element.matches(DROPPED)) element.remove();
  }
  return document.adoptNode(body).childNodes;
}
async function read(id) {
  const put = (name, ...nodes) => $(name, reader).replaceChildren(...nodes);
  if (opened !== id) { scrollTo(0, 0); ['.site', 'h1', '.byline', '.body', '.state'].forEach((name) => put(name)); }
  opened = id; show(reader);
  try {
    const [[link], [article = {}]] = await Promise.all([api(`links?id=eq.${id}&${COLUMNS}`), api(`articles?link_id=eq.${id}`)]);
    if (opened !== id) return;
    if (!link) throw Error('This link is not there any more.');
    const [title, site, byline] = ['title', 'site_name', 'byline'].map((name) => shown(article[name], article.metadata_is_text));
    const { published_at: at, published_time, content, url, lang, dir } = article;
    known.set(id, Object.assign(known.get(id) ?? {}, link, { hasArticle: !!content }));
    const when = at ? new Date(at).toLocaleDateString(undefined, { dateStyle: 'long' }) : published_time;
    put('.site', site || host(link)); put('h1', document.title = title || titleOf(link)); put('.byline', facts(article, byline, when));
    put('.body', ...content ? safe(content, url) : []); showPictures($('.body', reader), id, url);
    Object.assign($('.body', reader), { lang: lang ?? '', dir: dir || 'auto' });
    $('.source a', reader).href = /^https?:/i.test(address(link)) ? address(link) : '';
    paint(known.get(id)); watch(1000); showOrphans($('.orphans', reader), link); showMerges($('.merges', reader), link, separated);
  } catch (error) { if (opened === id) put('.body', error.message); }
  if (opened === id) $('h1', reader).focus({ preventScroll: true });
}
function separated(rows) {
  for (const row of rows) if (row.list === page.list) add(row, !card(row.id));
  tell('These are two links again.'); watch(1000); read(opened);
}
// Where we are: the address after the # says it, so that back and reload work.
function show(section) {
  for (const one of [door, list, reader]) one.hidden = one !== section;
  bar.hidden = section === door;
  for (const link of bar.querySelectorAll('a')) link.ariaCurrent = section === list && link === tab(page.list) ? 'page' : null;
}
function route() {
  const [, where, id] = location.hash.split('/'), name = where === 'archive' ? where : 'read', from = opened;
  if (!list.hidden) page.scroll = scrollY;
  if (!session()) return show(door);
  if (where === 'link' && /^[0-9a-f-]{36}$/.test(id)) return read(id);
  if (page.list !== name) [page] = [{ list: name, more: true }, known.clear(), links.replaceChildren()];
  view.name.textContent = document.title = tab(name).textContent;
  opened = null; view.back.hash = `#/${name}`; show(list); known.forEach(paint); scrollTo(0, page.scroll ?? 0); scrolled();
  ($('a', card(from)) ?? view.name).focus({ preventScroll: true });
}
onSubmit(view.save, ({ url }) => save(url.trim()));
view.again.onclick = load; view.keys.onclick = () => help.showModal();
view.logout.onclick = async () => {
  await Promise.all([...doomed.keys()].map(bury));
  await signOut();
};
document.onclick = (event) => {
  const { target } = event, note = target.closest('.body a[href^="#lct-"]');
  if (!note) return act(target.closest('[data-do]')?.dataset.do, target.closest('li, #reader'));
  event.preventDefault();  // the address says which link is open, not where in it
  const place = document.getElementById(note.getAttribute('href').slice(1)) ?? note;
  place.tabIndex = place === note ? 0 : -1; place.scrollIntoView({ block: 'center' }); place.focus({ preventScroll: true });
};
document.onkeydown = (event) => {
  const { key, target } = event, item = list.hidden ? reader : document.activeElement.closest('li');
  if (event.ctrlKey || event.metaKey || event.altKey || help.open || bar.hidden) return;
  if (key === 'Escape') return target.matches('input') ? target.blur() : !reader.hidden && view.back.click();
  if (target.matches('input') || !(list.hidden ? 'sam/?' : 'jkosam/?').includes(key)) return;
  event.preventDefault();
  if ('jk'.includes(key)) $('h2 a', step(item, key === 'j' ? 1 : -1) ?? item)?.focus();
  else if (key === 'o') $('h2 a', item)?.click();
  else if (key === '/') setTimeout(() => $('input', view.save).focus(), reader.hidden ? 0 : view.back.click() ?? 100);
  else if (key === '?') help.showModal();
  else act({ s: 'star', a: 'archive', m: 'read' }[key], item);
};
addEventListener('hashchange', route); addEventListener('scroll', scrolled, { passive: true });
const flush = (timer, id) => request(`/rest/v1/links?id=eq.${id}`, { method: 'DELETE', token: session()?.access, keepalive: true });
addEventListener('pagehide', () => doomed.forEach(flush));
$('.tools', reader).append(view.actions.content.cloneNode(true));
// Who was on the way to another page goes on to it.
const next = PLACES[new URLSearchParams(location.search).get('next')], news = session() && said();
if (news) tell(news);
if (!session()) openDoor(() => next ? location.replace(next) : route());
route();
