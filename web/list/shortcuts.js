// Keyboard shortcuts of the home page.

import { undoLast } from '../shared/ui/toast.js';

/** Keys → `data-do` values. */
const ACTION_KEYS = { s: 'star', a: 'archive', m: 'read', '.': 'more' };

/** With Shift, they extend the selection. */
const ARROWS = { ArrowDown: 1, ArrowUp: -1 };

const LIST_KEYS = [...'jkosamx.z/?'];
const READER_KEYS = [...'jksam.z/?'];
const TRASH_KEYS = [...'z?'];

/** Going back to the list takes a moment before its field can have the focus. */
const FOCUS_AFTER_BACK_MS = 100;

/**
 * Sets up the shortcuts.
 * @param {object} page
 * @param {HTMLElement} page.header hidden while nobody is signed in, which turns the shortcuts off
 * @param {HTMLDialogElement} page.help
 * @param {{list: HTMLElement, reader: HTMLElement}} page.sections
 * @param {import('./link-list.js').LinkList} page.list
 * @param {import('./selection-bar.js').SelectionBar} page.selection
 * @param {HTMLAnchorElement} page.backLink leads from the reader to the list
 * @param {HTMLInputElement} page.urlField
 * @param {(action: string, root: Element | null) => void} page.act
 */
export function setUpShortcuts({ header, help, sections, list, selection, backLink, urlField, act }) {
  document.onkeydown = (event) => {
    const { key, target } = event;
    // Dialogs and panels have the keyboard to themselves; Escape closes them.
    const isOff = header.hidden || document.querySelector('dialog[open], :popover-open');
    if (event.ctrlKey || event.metaKey || event.altKey || isOff) return;
    const isReading = !sections.reader.hidden;
    if (key === 'Escape') {
      if (isField(target)) target.blur();
      else if (!isReading && !selection.isEmpty) selection.clear();
      else if (isReading) backLink.click();
      return;
    }
    const row = document.activeElement.closest('[data-id]');
    if (event.shiftKey && ARROWS[key] && !sections.list.hidden && !isField(target)) {
      event.preventDefault();
      selection.extend(row, ARROWS[key]);
      return;
    }
    const keys = isReading ? READER_KEYS : sections.list.hidden ? TRASH_KEYS : LIST_KEYS;
    if (isField(target) || !keys.includes(key)) return;
    event.preventDefault();
    press(key, isReading ? sections.reader : row, isReading);
  };

  function press(key, root, isReading) {
    switch (key) {
      case 'j':
        if (isReading) followLink(root, '.after-reading .next');
        else focusTitle(list.neighbour(root, 1) ?? root);
        break;
      case 'k':
        if (isReading) followLink(root, '.after-reading .previous');
        else focusTitle(list.neighbour(root, -1) ?? root);
        break;
      case 'o':
        root?.querySelector('h2 a')?.click();
        break;
      case 'x':
        selection.toggle(root);
        break;
      case 'z':
        undoLast();
        break;
      case '/':
        if (isReading) backLink.click();
        setTimeout(() => urlField.focus(), isReading ? FOCUS_AFTER_BACK_MS : 0);
        break;
      case '?':
        help.showModal();
        break;
      default:
        act(ACTION_KEYS[key], root);
    }
  }
}

function focusTitle(row) {
  row?.querySelector('h2 a')?.focus();
}

function followLink(reader, selector) {
  reader.querySelector(`${selector}:not([hidden])`)?.click();
}

// A checkbox takes no text, so the keys work there, too.
function isField(target) {
  return target.matches('input:not([type=checkbox]), select, textarea');
}
