// Keeps a long list small: groups of rows far from the screen lose their content and keep their height.

import { fillLinkRow } from './card.js';

/** A list with fewer groups keeps all of them whole. */
const MIN_GROUPS = 20;

/** Groups within three screens keep their content. */
const MARGIN = '300% 0px';

export class RowVirtualizer {
  #list;
  #onFilled;
  #observer = new IntersectionObserver((entries) => this.#onMoved(entries), { rootMargin: MARGIN });
  /** Groups that have come near the screen and wait for their content, the most urgent first. */
  #waiting = new Set();

  /**
   * @param {HTMLElement} list the element whose children are the groups
   * @param {(id: string) => void} onFilled renders the link of a row that has its elements again
   */
  constructor(list, onFilled) {
    this.#list = list;
    this.#onFilled = onFilled;
  }

  /** @param {Element} group */
  watch(group) {
    this.#observer.observe(group);
  }

  /** Forgets all groups. */
  forget() {
    this.#observer.disconnect();
    this.#waiting.clear();
  }

  /** @param {Element} group */
  isEmptied(group) {
    return group.dataset.far !== undefined;
  }

  /**
   * Gives a row, and the group that it is in, their content again if they have lost it.
   * @param {HTMLLIElement | null | undefined} row
   * @returns {HTMLLIElement | null | undefined} the row
   */
  fill(row) {
    const group = row?.parentElement;
    if (group && this.isEmptied(group)) this.#fillGroup(group);
    return row;
  }

  #onMoved(entries) {
    const isLong = this.#list.children.length > MIN_GROUPS;
    const wasIdle = !this.#waiting.size;
    const wanted = [];
    for (const entry of entries) {
      const { target: group, isIntersecting, boundingClientRect: { height } } = entry;
      this.#waiting.delete(group);
      if (isIntersecting) {
        if (this.isEmptied(group)) wanted.push(entry);
      } else if (isLong && height && !this.isEmptied(group) && !group.contains(document.activeElement)) {
        // The groups of a hidden list have no height.
        this.#emptyGroup(group, height);
      }
    }
    // The places come from the entries, because asking a group would have the browser lay out the whole list.
    wanted.sort((a, b) => distance(a) - distance(b));
    this.#waiting = new Set([...wanted.map(({ target }) => target), ...this.#waiting]);
    if (wasIdle) this.#fillNext();
  }

  // One group in a task, so that the page stays responsive; those on the screen first.
  #fillNext() {
    const [group] = this.#waiting;
    if (!group) return;
    this.#waiting.delete(group);
    if (this.isEmptied(group)) this.#fillGroup(group);
    setTimeout(() => this.#fillNext());
  }

  #fillGroup(group) {
    delete group.dataset.far;
    group.style.height = '';
    group.ariaHidden = null;
    for (const row of group.children) {
      if (row.firstChild) continue;
      fillLinkRow(row);
      this.#onFilled(row.dataset.id);
    }
  }

  // The height is not asked of the group, because each answer would have the browser lay out the whole list again.
  #emptyGroup(group, height) {
    group.style.height = `${height}px`;
    group.dataset.far = '';
    // Empty items would be read out.
    group.ariaHidden = 'true';
    for (const row of group.children) row.replaceChildren();
  }
}

function distance({ boundingClientRect: { top, bottom } }) {
  return Math.abs((top + bottom) / 2 - innerHeight / 2);
}
