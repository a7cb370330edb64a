// How a link is called where it is listed.
import { shown } from './entities.js';

export const address = (link) => link.resolved_url ?? link.raw_url;
const plain = (link) => address(link).replace(/^https?:\/\/(www\.)?|\/$/g, '');
export const titleOf = (link) => shown(link.title, link.title_is_text) || plain(link);
export const host = (link) => plain(link).replace(/[/?#:].*/, '');

/** Makes an anchor lead to the page itself, unless that is none of the web. */
export function leadOut(anchor, url) {
  const isWeb = /^https?:/i.test(url);
  return Object.assign(anchor, { href: isWeb ? url : '', hidden: !isWeb, target: '_blank', rel: 'noopener noreferrer', referrerPolicy: 'no-referrer' });
}
