import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sharedPage } from '../../../web/save/shared-page.js';

const NOTHING = {
  url: '', title: '', tags: [], list: 'read', isFromOpener: false, share: '', hasNoLink: false, isLost: false,
};

test('a page is saved with title, tags and list', () => {
  assert.deepEqual(sharedPage('?url=https%3A%2F%2Fa.example%2F%3Fx%3D1&title=A+title&tags=one,two&list=archive'), {
    url: 'https://a.example/?x=1',
    title: 'A title',
    tags: ['one', 'two'],
    list: 'archive',
    isFromOpener: false,
    share: '',
    hasNoLink: false,
    isLost: false,
  });
});

test('an address may stand in a sentence, or in the title', () => {
  assert.equal(sharedPage('?text=Look at this (https://a.example/b).').url, 'https://a.example/b');
  assert.equal(sharedPage('?title=T&text=https://a.example/b%20via%20App').title, 'T');
  assert.deepEqual(sharedPage('?title=https://a.example/'), { ...NOTHING, url: 'https://a.example/' });
});

test('links of the scheme web+lectern hold the address', () => {
  assert.equal(sharedPage('?url=web%2Blectern%3Ahttps%3A%2F%2Fa.example%2F').url, 'https://a.example/');
  assert.equal(sharedPage('?url=web%2Blectern%3A%2F%2Fa.example%2F').url, 'a.example/');
});

test('a bookmarklet says that it hands the page over', () => {
  assert.equal(sharedPage('?url=https://a.example/&page=opener').isFromOpener, true);
  assert.equal(sharedPage('?url=https://a.example/&page=x').isFromOpener, false);
});

test('shared files are told by the id of the share, and nothing else names one', () => {
  const share = '0f8fad5b-d9cb-469f-a165-70867728950e';
  assert.equal(sharedPage(`?files=${share}&title=report.pdf`).share, share);
  for (const value of ['x', `${share}/..`, '%2e%2e']) assert.equal(sharedPage(`?files=${value}`).share, '');
  assert.equal(sharedPage('?shared=lost').isLost, true);
});

test('nothing usable leaves the fields empty', () => {
  for (const search of ['', '?', '?url=', '?list=other']) assert.deepEqual(sharedPage(search), NOTHING);
});

test('a text without an address is told apart from nothing', () => {
  for (const search of ['?text=no address', '?title=A+title']) assert.equal(sharedPage(search).hasNoLink, true);
  assert.equal(sharedPage('?title=report.pdf&files=0f8fad5b-d9cb-469f-a165-70867728950e').hasNoLink, false);
});
