// Style sheets that are loaded when they are needed. It imports nothing, because the first view waits for it.

/** The folder of the web app: the root of the server, or a folder of the extension. */
const FOLDER = new URL('../..', import.meta.url).pathname.slice(0, -1);

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Loads a style sheet, unless that has been done.
 * @param {string} path from the root of the web app
 * @returns {Promise<void>} resolves when it applies or could not be had
 */
export function loadStyles(path) {
  if (!loading.has(path)) loading.set(path, load(path));
  return loading.get(path);
}

/**
 * Loads the style sheets of a template of the page, in its order.
 * @param {string} id
 * @returns {Promise<void[]>} resolves when they apply or could not be had
 */
export function loadStylesOf(id) {
  const links = [...document.getElementById(id).content.querySelectorAll('link')];
  const paths = links.map((link) => link.getAttribute('href'));
  // Where the server is published under a path, the page has it before its own.
  return Promise.all(paths.map((path) => loadStyles(path.startsWith(`${FOLDER}/`) ? path.slice(FOLDER.length) : path)));
}

function load(path) {
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: FOLDER + path });
    link.onload = () => resolve();
    link.onerror = () => {
      // The next use tries again.
      loading.delete(path);
      link.remove();
      resolve();
    };
    document.head.append(link);
  });
}
