// The programs of the bookmarklets. This module does not use the DOM.

const WINDOW = "'','width=480,height=640'";

/**
 * Returns a bookmarklet that opens `/save` with the address and the title of the page.
 * @param {string} server address without a slash at the end
 * @returns {string} a `javascript:` URL
 */
export function saveBookmarklet(server) {
  const values = 'url:location.href,title:document.title';
  return `javascript:void open('${server}/save?'+new URLSearchParams({${values}}),${WINDOW})`;
}

/**
 * Returns a bookmarklet that does the same and hands the page over: to the window that it opens, when that asks for it;
 * see `web/save/opener-page.js`. More than ten million characters are not sent.
 * @param {string} server address without a slash at the end
 * @returns {string} a `javascript:` URL
 */
export function pageBookmarklet(server) {
  const values = "url:location.href,title:document.title,page:'opener'";
  const { origin } = new URL(server);
  return `javascript:(()=>{const s='${origin}',w=open('${server}/save?'+new URLSearchParams({${values}}),${WINDOW});`
    + "const f=e=>{if(e.source!==w||e.origin!==s||e.data!=='lectern:send-page')return;removeEventListener('message',f);"
    + "const h='<!doctype html>'+document.documentElement.outerHTML;"
    + "w.postMessage({type:'lectern:page',html:h.length>1e7?null:h},s)};addEventListener('message',f)})()";
}
