// The section for admins with the articles that users have reported as wrong.

import { restRequest } from '../shared/api/session.js';
import { formatSize } from '../shared/format/numbers.js';
import { t } from '../shared/locale/translate.js';
import { busyWhile } from '../shared/ui/busy-button.js';
import { createElement, createFactsLine, createTime, replaceIfChanged } from '../shared/ui/elements.js';
import { setUpLiveSection } from './live-section.js';
import { refreshNow } from './polling.js';

/** @returns {import('./polling.js').Refresh} */
export function setUpReports() {
  return setUpLiveSection(document.getElementById('reports'), { load, createRow });
}

async function load(limit) {
  const reports = await restRequest('rpc/article_reports', { method: 'POST', body: {} });
  return { items: reports.slice(0, limit).map((report) => ({ ...report, id: report.link_id })), total: reports.length };
}

function createRow() {
  const heading = createElement('p', { className: 'head', dir: 'auto' });
  const note = createElement('p', { dir: 'auto' });
  let facts = createElement('p');
  const page = createElement('button', { type: 'button', textContent: t('Save the page') });
  const close = createElement('button', { type: 'button', textContent: t('Close the report') });
  const buttons = createElement('div', { className: 'buttons' }, page, close);
  const element = createElement('li', {}, createElement('div', {}, heading, note, facts, buttons));

  function render({ id, url, email, note: words, reported_at: time, bytes, extractor_version: version }) {
    if (heading.textContent !== url) heading.textContent = url;
    note.textContent = words ?? '';
    note.hidden = !words;
    const made = version && t('extractor {version}', { version });
    const size = bytes === null ? t('the page was not kept') : formatSize(bytes);
    facts = replaceIfChanged(facts, createFactsLine(email, createTime(time), size, made));
    page.hidden = bytes === null;
    page.onclick = busyWhile(() => savePage(id));
    close.onclick = busyWhile(async () => {
      await restRequest('rpc/close_report', { method: 'POST', body: { link: id } });
      await refreshNow();
    });
  }
  return { element, render };
}

// As text, so that opening the file runs none of its scripts.
async function savePage(id) {
  const page = await restRequest('rpc/reported_page', { method: 'POST', body: { link: id } });
  if (!page) throw Error(t('The report is closed.'));
  const href = URL.createObjectURL(new Blob([page.html], { type: 'text/plain' }));
  createElement('a', { href, download: `${id}.html.txt` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
