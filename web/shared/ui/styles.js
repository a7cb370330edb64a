// Style sheets that are loaded when they are needed. It imports nothing, because the first view waits for it.

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Loads a style sheet, unless that has been done.
 * @param {string} path
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
  return Promise.all(links.map((link) => loadStyles(link.getAttribute('href'))));
}

function load(path) {
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: path });
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
