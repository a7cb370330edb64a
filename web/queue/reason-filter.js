// The choice of a reason above the failed jobs, with the number of jobs of each reason.

import { formatNumber } from '../shared/format/numbers.js';
import { reasonNames } from '../shared/locale/reasons.js';
import { t } from '../shared/locale/translate.js';
import { fetchCounted } from './queue-api.js';

const REASONS = reasonNames(t);

// Values of the options; the others are conditions such as `eq.timeout`.
const ALL = '';
const NO_REASON = 'is.null';

export class ReasonFilter {
  #select;
  #label;
  #frame;
  /** The number of jobs when the options were last counted. */
  #countedTotal = -1;

  /**
   * @param {HTMLSelectElement} select in a label, in an element `.choose`
   * @param {() => void} onChange
   */
  constructor(select, onChange) {
    this.#select = select;
    this.#label = select.closest('label');
    this.#frame = select.closest('.choose');
    select.onchange = onChange;
  }

  /** The condition for the chosen reason: empty, or a part of a query that begins with `&`. */
  get condition() {
    return this.#select.value === ALL ? '' : `&reason=${encodeURIComponent(this.#select.value)}`;
  }

  /**
   * Updates the options if the number of jobs has changed or a reason is chosen.
   * @param {string} jobs the path of the jobs to count, with a query
   */
  async update(jobs) {
    const { total } = await fetchCounted(`${jobs}&select=id&limit=0`);
    this.#frame.hidden = !total;
    if (total === this.#countedTotal && this.#select.value === ALL) return;
    const counts = await countByReason(jobs, total);
    this.#countedTotal = total;
    this.#setOptions(counts);
  }

  // Keeps existing options, as the user may have the list open. A chosen reason without jobs is no longer
  // chosen.
  #setOptions(counts) {
    for (const option of [...this.#select.options]) if (!counts.has(option.value)) option.remove();
    for (const [value, count] of counts) {
      const existing = [...this.#select.options].find((option) => option.value === value);
      const option = existing ?? this.#select.appendChild(new Option('', value));
      option.textContent = `${reasonName(value)} (${formatNumber(count)})`;
    }
    // With one reason only, that one and "All" are the same.
    this.#label.hidden = counts.size < 3;
  }
}

// The API counts rows and does not group them. In the order of the reasons, the difference between the
// numbers of rows from one reason on and after it is the number of rows with that reason.
async function countByReason(jobs, total) {
  const counts = new Map([[ALL, total]]);
  const query = 'select=reason&order=reason&limit=1';
  let current = await fetchCounted(`${jobs}&reason=not.is.null&${query}`);
  if (total > current.total) counts.set(NO_REASON, total - current.total);
  while (current.items.length) {
    const [{ reason }] = current.items;
    const next = await fetchCounted(`${jobs}&reason=gt.${encodeURIComponent(reason)}&${query}`);
    counts.set(`eq.${reason}`, Math.max(current.total - next.total, 1));
    current = next;
  }
  return counts;
}

function reasonName(value) {
  if (value === ALL) return t('All');
  if (value === NO_REASON) return t('Other');
  const reason = value.replace('eq.', '');
  return REASONS[reason] ?? reason.replaceAll('_', ' ');
}
