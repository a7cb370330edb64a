// Anchors that open pages of other sites.

/** Properties of an anchor that opens another site in a new tab and tells it nothing about this page. */
export const EXTERNAL_LINK = { target: '_blank', rel: 'noopener noreferrer', referrerPolicy: 'no-referrer' };

/**
 * Points an anchor at a saved URL, or hides it when the URL is not http or https.
 * @param {HTMLAnchorElement} anchor
 * @param {string} url
 * @returns {HTMLAnchorElement} the same anchor
 */
export function setExternalURL(anchor, url) {
  const isHTTP = /^https?:/i.test(url);
  return Object.assign(anchor, { ...EXTERNAL_LINK, href: isHTTP ? url : '', hidden: !isHTTP });
}
