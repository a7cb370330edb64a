import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pageBookmarklet, saveBookmarklet } from '../../../web/settings/bookmarklet-code.js';

const ORIGIN = 'https://lectern.example';
const PAGE = { location: { href: 'https://a.example/?x=1&y=ü#z' }, document: { title: 'A & B' } };

// Runs a bookmarklet with the globals of a page.
function run(code, globals) {
  const names = Object.keys(globals);
  return new Function(...names, code.replace('javascript:', ''))(...Object.values(globals));
}

test('the address and the title arrive as they are', () => {
  for (const [make, more] of [[saveBookmarklet, {}], [pageBookmarklet, { page: 'opener' }]]) {
    let opened;
    run(make(ORIGIN), { ...PAGE, open: (url) => { opened = new URL(url); }, addEventListener: () => {} });
    assert.equal(opened.origin + opened.pathname, `${ORIGIN}/save`);
    const expected = { url: PAGE.location.href, title: 'A & B', ...more };
    assert.deepEqual(Object.fromEntries(opened.searchParams), expected);
  }
});

test('the page is sent once, to the window that was opened and to the server alone', () => {
  const sent = [];
  const listeners = new Set();
  const opened = { postMessage: (data, target) => sent.push([data, target]) };
  run(pageBookmarklet(ORIGIN), {
    location: PAGE.location,
    document: { title: '', documentElement: { outerHTML: '<html>A</html>' } },
    open: () => opened,
    addEventListener: (name, listener) => listeners.add(listener),
    removeEventListener: (name, listener) => listeners.delete(listener),
  });
  const hear = (event) => listeners.forEach((listener) => listener(event));
  hear({ source: {}, origin: ORIGIN, data: 'lectern:send-page' });
  hear({ source: opened, origin: 'https://evil.example', data: 'lectern:send-page' });
  hear({ source: opened, origin: ORIGIN, data: 'other' });
  assert.deepEqual(sent, []);
  hear({ source: opened, origin: ORIGIN, data: 'lectern:send-page' });
  hear({ source: opened, origin: ORIGIN, data: 'lectern:send-page' });
  assert.deepEqual(sent, [[{ type: 'lectern:page', html: '<!doctype html><html>A</html>' }, ORIGIN]]);
});
