// Takes a copy of the page of a tab as it looks: one file with its styles and pictures.

const FILES = ['images', 'copy-styles', 'copy-writer', 'copy-main'].map((name) => `capture/${name}.js`);

/** The limit of rpc/save_copy, less what the request holds beside the copy. In bytes of JSON. */
const MAX_BYTES = 10_400_000;

const MAX_FILE_BYTES = 4_000_000;
const MAX_FILES = 200;
const TIMEOUT_MS = 60_000;
const FILE_MS = 8_000;
const URLS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^\s)"']*))\s*\)|@import[^;]*;?/gi;

/**
 * @typedef {object} Copy
 * @property {string} [html]
 * @property {number} [missing] how many pictures, fonts and style sheets it lacks
 * @property {string} [problem] a key of COPY_PROBLEMS
 */

/**
 * @param {number} tabId of a tab that the user has just asked to save (the permission `activeTab`)
 * @returns {Promise<Copy>}
 */
export async function copyPage(tabId) {
  const silent = new Promise((resolve) => { setTimeout(resolve, TIMEOUT_MS, { problem: 'silent' }); });
  const taken = chrome.scripting.executeScript({ target: { tabId }, files: FILES })
    .then(([{ result }]) => result ?? { problem: 'silent' }, () => ({ problem: 'browser' }));
  const { parts, files, problem } = await Promise.race([taken, silent]);
  return problem ? { problem } : assemble(parts, files, { read: readOnce() });
}

/**
 * Puts the files into their places, as long as there is room.
 * @param {(string | {url: string, isStyle?: boolean})[]} parts
 * @param {Record<string, string>} files data URLs by address
 * @param {object} [tools]
 * @param {(url: string) => Promise<{data: string, text: () => Promise<string>} | null>} [tools.read] asks for what the
 *   page could not read itself
 * @param {number} [tools.max] bytes of JSON
 * @returns {Promise<Copy>}
 */
export async function assemble(parts, files, { read = async () => null, max = MAX_BYTES } = {}) {
  let room = max - parts.reduce((sum, part) => sum + (typeof part === 'string' ? sizeOf(part) : 0), 0);
  if (room < 0) return { problem: 'tooLarge' };
  let missing = 0;
  const fit = (text) => {
    const size = text === null ? Infinity : sizeOf(text);
    if (size > room) {
      missing += 1;
      return '';
    }
    room -= size;
    return text;
  };
  const dataOf = async (url) => files[url] ?? (await read(url))?.data ?? null;
  const html = [];
  for (const part of parts) {
    if (typeof part === 'string') html.push(part);
    else if (part.isStyle) html.push(await styleOf(part.url));
    else html.push(fit(await dataOf(part.url)));
  }
  return { html: html.join(''), missing };

  async function styleOf(url) {
    const css = await (await read(url))?.text() ?? null;
    if (css === null) return fit(null);
    const texts = [];
    let end = 0;
    for (const found of css.matchAll(URLS)) {
      texts.push(css.slice(end, found.index));
      end = found.index + found[0].length;
      const address = found[1] ?? found[2] ?? found[3] ?? '';
      if (/^(data:|#)/i.test(address)) texts.push(found[0]);
      else if (URL.canParse(address, url) && !found[0].startsWith('@')) {
        const data = await dataOf(new URL(address, url).href);
        texts.push(data === null || sizeOf(data) > room ? 'url()' : `url("${data}")`);
      }
    }
    return fit([...texts, css.slice(end)].join('').replace(/<\//g, '<\\/'));
  }
}

function sizeOf(text) {
  return new TextEncoder().encode(JSON.stringify(text)).length - 2;
}

// Sites let the extension read their files if the user has allowed it to reach them, or if anybody may read them.
function readOnce() {
  const found = new Map();
  return (url) => {
    if (!found.has(url)) found.set(url, found.size < MAX_FILES ? readFile(url).catch(() => null) : null);
    return found.get(url);
  };
}

async function readFile(url) {
  const response = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(FILE_MS) });
  const blob = await response.blob();
  if (!response.ok || blob.size > MAX_FILE_BYTES) return null;
  return { data: await dataURL(blob), text: () => blob.text() };
}

function dataURL(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = reject;
    reader.readAsDataURL(blob);
  });
}
