// The start page of the web app as a page of the extension.

/**
 * Changes a page of the web app: its files are those of the extension, its links to other pages lead to the server, and
 * what only the server's own page needs is left out. Links to files in templates stay; the app knows its folder.
 * @param {Document} page
 * @param {string} server address without a slash at the end
 * @returns {Document} the same
 */
export function adaptPage(page, server) {
  for (const element of page.querySelectorAll('script, link:not([rel=stylesheet])')) element.remove();
  for (const link of page.querySelectorAll('link')) link.setAttribute('href', `../web${link.getAttribute('href')}`);
  const templates = [...page.querySelectorAll('template')].map(({ content }) => content);
  for (const anchor of [page, ...templates].flatMap((part) => [...part.querySelectorAll('a[href^="/"]')])) {
    Object.assign(anchor, { href: server + anchor.getAttribute('href'), target: '_blank', rel: 'noopener' });
  }
  return page;
}
