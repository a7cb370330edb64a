// A row about a page that could not be fetched: the reason, a link to the original and a button to try again.

import { setExternalURL } from '../shared/links/external-link.js';
import { shortLinkTitle } from '../shared/links/link-text.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createElement, createFactsLine, replaceIfChanged } from '../shared/ui/elements.js';
import { showToast } from '../shared/ui/toast.js';
import { createLinkHeading } from './link-heading.js';
import { refreshNow } from './polling.js';
import { retryLinks } from './queue-api.js';

/**
 * @typedef {object} Description
 * @property {string} reason why the page is not available
 * @property {boolean} [isUsersChoice] the reason is not shown as an error
 * @property {boolean} [isRetrying] hides the button to try again
 * @property {(Node | string | false)[]} facts
 */

/**
 * Returns a function that creates rows for `setUpLiveSection`. The items have a `link` and a `link_id`.
 * @param {(item: object) => Description} describe
 * @returns {() => import('./live-section.js').LiveRow}
 */
export function unavailableRow(describe) {
  return () => {
    let current;
    let reason = createElement('p');
    let facts = createElement('p');
    const heading = createLinkHeading();
    const original = createElement('a', { textContent: t('Open the original') });
    const button = createElement('button', {
      textContent: t('Try again'),
      onclick: busyWhile(() => retry(current)),
    });
    const element = createElement('li', {},
      createElement('div', {}, heading.element, reason, facts),
      createElement('div', { className: 'buttons' }, original, button));

    function render(item) {
      current = item;
      const { link } = item;
      const description = describe(item);
      const title = shortLinkTitle(link);
      const className = description.isUsersChoice ? 'facts' : 'facts error';
      heading.render(item);
      reason = replaceIfChanged(reason, createElement('p', { className, dir: 'auto' }, description.reason));
      facts = replaceIfChanged(facts, createFactsLine(...description.facts));
      setExternalURL(original, link.raw_url).ariaLabel = t('Open the original of {title}', { title });
      button.ariaLabel = t('Try again: {title}', { title });
      button.hidden = !!description.isRetrying;
    }
    return { element, render };
  };
}

async function retry({ link_id, link }) {
  await retryLinks([link_id]);
  showToast(t('Trying again: {title}', { title: shortLinkTitle(link) }));
  await refreshNow();
}
