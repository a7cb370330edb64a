// The section of imported files: what became of each, and how far it is.

import { errorText } from '../shared/api/error-texts.js';
import { restRequest } from '../shared/api/session.js';
import { formatEstimate, formatNumber } from '../shared/format/numbers.js';
import { changeImport, describeCounts, downloadRejects, formatName } from '../shared/imports/imports-api.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createElement, createFactsLine, createTime, replaceIfChanged } from '../shared/ui/elements.js';
import { setUpLiveSection } from './live-section.js';
import { refreshNow } from './polling.js';

/** Older imports are rarely of interest. */
const PAGE_SIZE = 3;

/** @returns {import('./polling.js').Refresh} */
export function setUpFileImports() {
  const section = document.getElementById('files');
  return setUpLiveSection(section, { load, createRow, isActive, pageSize: PAGE_SIZE });
}

// Documents are links of the list, and are listed there.
async function load(limit) {
  const query = `or=(format.is.null,format.neq.document)&order=created_at.desc&limit=${limit + 1}`;
  const rows = await restRequest(`imports?${query}`);
  return { items: rows.slice(0, limit), total: rows.length };
}

function isActive({ items }) {
  return items.some(({ state }) => state === 'reading');
}

function createRow() {
  let current;
  let pace;
  let facts = createElement('p');
  let text = createElement('p');
  const heading = createElement('h3', { dir: 'auto' });
  const bar = createElement('progress');
  const button = (label, act) => createElement('button', {
    textContent: label, onclick: busyWhile(async () => {
      await act();
      await refreshNow();
    }),
  });
  const begin = button(t('Import'), () => changeImport('start_import', current.id));
  const cancel = button(t('Cancel'), () => changeImport('cancel_import', current.id));
  const retry = button(t('Try again'), () => changeImport('retry_import', current.id));
  const rejects = button(t('Download what was not imported'), () => downloadRejects(current));
  const element = createElement('li', {}, heading, bar, facts, text, begin, cancel, retry, rejects);

  function render(row) {
    if (current?.id !== row.id) pace = null;
    current = row;
    heading.textContent = row.name;
    bar.ariaLabel = t('Progress of {name}', { name: row.name });
    bar.hidden = row.state !== 'reading';
    if (row.entries) Object.assign(bar, { max: row.entries, value: row.rows });
    else bar.removeAttribute('value');
    facts = replaceIfChanged(facts, createFactsLine(
      formatName(row.format), createTime(row.created_at), ...(row.rows ? describeCounts(row) : [])));
    pace = nextPace(pace, row);
    text = replaceIfChanged(text, createElement('p', { className: 'facts', dir: 'auto' }, describeState(row, pace)));
    text.hidden = !text.textContent;
    begin.hidden = row.state !== 'held';
    cancel.hidden = !['reading', 'held', 'waiting'].includes(row.state);
    retry.hidden = row.state !== 'failed';
    rejects.hidden = !row.rejected;
  }
  return { element, render };
}

// The number of rows when the page saw the import first tells the rate.
function nextPace(pace, { state, rows }) {
  if (state !== 'reading') return null;
  return pace ?? { rows, since: Date.now() };
}

function describeState({ state, reason, rows, entries }, pace) {
  if (state === 'reading') {
    const counts = { rows: formatNumber(rows), n: formatNumber(entries) };
    const seconds = (Date.now() - pace.since) / 1000;
    const rate = (rows - pace.rows) / seconds;
    if (!(rate > 0)) return t('{rows} of {n} entries', counts);
    const values = { ...counts, rate: formatNumber(Math.round(rate)), time: formatEstimate((entries - rows) / rate) };
    return t('{rows} of {n} entries; {rate} a second, {time} left.', values);
  }
  if (state === 'failed') return reason ? errorText(reason) : '';
  if (state === 'held') return t('Ready. Press Import or Cancel.');
  if (state === 'cancelled') return t('Cancelled.');
  if (state === 'waiting') return t('The pages are fetched in the background.');
  return '';
}
