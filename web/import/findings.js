// What a file holds, before it is imported.

import { formatDate } from '../shared/format/dates.js';
import { formatNumber } from '../shared/format/numbers.js';
import { formatName } from '../shared/imports/imports-api.js';
import { t } from '../shared/locale/translate.js';
import { createElement } from '../shared/ui/elements.js';

/**
 * @param {object} row of an import that is held
 * @returns {HTMLElement[]} for a description list
 */
export function findings({ format, entries, summary }) {
  const { oldest, newest, tags, collections, articles, refused } = summary;
  const day = (seconds) => formatDate(new Date(seconds * 1000).toISOString());
  const facts = [
    [t('Format'), formatName(format)],
    format !== 'document' && [t('Entries'), formatNumber(entries)],
    oldest && [t('Saved'), oldest === newest ? day(oldest) : `${day(oldest)} – ${day(newest)}`],
    tags > 0 && [t('Tags'), formatNumber(tags)],
    collections > 0 && [t('Folders'), formatNumber(collections)],
    articles > 0 && [t('Entries with an article'), formatNumber(articles)],
    refused > 0 && [t('Entries that cannot be saved'), formatNumber(refused)],
  ];
  return facts.filter(Boolean).flatMap(([name, value]) => [
    createElement('dt', {}, name), createElement('dd', { dir: 'auto' }, value)]);
}
