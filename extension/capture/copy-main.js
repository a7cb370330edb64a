// Takes the copy of the page; the last of the scripts that are injected, whose value is the result. A classic script.

(() => {
  const MAX_FILES = 400;
  const MAX_FILE_BYTES = 4_000_000;
  const AT_ONCE = 6;
  const FILE_MS = 8_000;
  const ALL_MS = 20_000;

  // The page's own site answers with its cookies, and other sites if they let pages read their files.
  async function read(url) {
    const isOwn = new URL(url).origin === location.origin;
    const response = await fetch(url, {
      credentials: isOwn ? 'include' : 'omit', cache: 'force-cache', signal: AbortSignal.timeout(FILE_MS),
    });
    const blob = await response.blob();
    if (!response.ok || blob.size > MAX_FILE_BYTES) throw Error();
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.onerror = reject;
      reader.readAsDataURL(blob);
    });
  }

  async function readAll(urls) {
    const found = {};
    const end = performance.now() + ALL_MS;
    const waiting = urls.slice(0, MAX_FILES);
    const next = async () => {
      for (let url = waiting.shift(); url && performance.now() < end; url = waiting.shift()) {
        await read(url).then((data) => { found[url] = data; }, () => {});
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    return found;
  }

  async function copy() {
    const type = Object.getOwnPropertyDescriptor(Document.prototype, 'contentType').get.call(document);
    if (!/^(text\/html|application\/xhtml\+xml)$/.test(type)) return { problem: 'document' };
    const parts = await new globalThis.LecternCopyWriter().write(document);
    if (!parts) return { problem: 'tooLarge' };
    const urls = parts.filter((part) => part.url && !part.isStyle).map(({ url }) => url);
    return { parts, files: await readAll([...new Set(urls)]) };
  }

  return copy();
})();
