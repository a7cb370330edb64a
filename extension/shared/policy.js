// When the page itself is sent with its address. This module does not use the DOM.

import { t } from './words.js';

/** @typedef {'always' | 'login' | 'never'} Policy */

/** The policies, as the options page offers them. */
export const POLICIES = {
  always: t('Always'),
  login: t('When the page needs a login'),
  never: t('Never'),
};

/** @type {Policy} */
export const DEFAULT_POLICY = 'login';

/** The most sites with a policy of their own. */
const MAX_SITES = 500;

/**
 * Returns the policy for an address: that of its host or of the nearest parent domain, else the general one.
 * @param {string} url
 * @param {{policy?: Policy, sites?: Record<string, Policy>}} settings
 * @returns {Policy}
 */
export function policyFor(url, { policy = DEFAULT_POLICY, sites = {} }) {
  const labels = URL.canParse(url) ? new URL(url).hostname.split('.') : [];
  for (let first = 0; first < labels.length; first++) {
    const host = labels.slice(first).join('.');
    if (Object.hasOwn(sites, host)) return sites[host];
  }
  return policy;
}

/**
 * Returns the policies of sites with that of one more, or with another one for it. Beyond the limit, another
 * one is left out; browsers do not keep the order in which they were chosen.
 * @param {Record<string, Policy>} sites
 * @param {string} site
 * @param {Policy} policy
 * @returns {Record<string, Policy>}
 */
export function withSite(sites, site, policy) {
  const others = Object.entries(sites).filter(([host]) => host !== site);
  return Object.fromEntries([...others, [site, policy]].slice(-MAX_SITES));
}

/**
 * Returns the host of an address, by which sites get a policy of their own; without `www.`.
 * @param {string} url
 * @returns {string} empty if the address has none
 */
export function siteOf(url) {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '';
}
