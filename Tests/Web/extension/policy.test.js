import assert from 'node:assert/strict';
import { test } from 'node:test';

import { policyFor, siteOf, withSite } from '../../../extension/shared/policy.js';

test('a page is sent when it needs a login, unless the settings say otherwise', () => {
  assert.equal(policyFor('https://a.example/', {}), 'login');
  assert.equal(policyFor('https://a.example/', { policy: 'never' }), 'never');
});

test('a site has the policy of its host or of the nearest parent domain', () => {
  const settings = { policy: 'never', sites: { 'example.org': 'always', 'news.example.org': 'login' } };
  assert.equal(policyFor('https://www.example.org/x', settings), 'always');
  assert.equal(policyFor('https://a.news.example.org:8443/', settings), 'login');
  assert.equal(policyFor('https://notexample.org/', settings), 'never');
  assert.equal(policyFor('no address', settings), 'never');
});

test('a host named like a property of objects is a site like any other', () => {
  assert.equal(policyFor('https://constructor/', { policy: 'always' }), 'always');
});

test('a site is a host without www', () => {
  assert.equal(siteOf('https://www.example.org/x'), 'example.org');
  assert.equal(siteOf('chrome://settings/'), 'settings');
  assert.equal(siteOf('no address'), '');
});

test('five hundred sites have a policy of their own, and the oldest give way', () => {
  let sites = {};
  for (let number = 0; number < 500; number++) sites = withSite(sites, `${number}.example`, 'never');
  sites = withSite(withSite(sites, '0.example', 'always'), 'new.example', 'login');
  assert.equal(Object.keys(sites).length, 500);
  assert.deepEqual([sites['0.example'], sites['1.example'], sites['new.example']], ['always', undefined, 'login']);
});
