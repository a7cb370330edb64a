// Keyboard shortcuts of the home page.

/** Keys → `data-do` values. */
const ACTION_KEYS = { s: 'star', a: 'archive', m: 'read' };

const LIST_KEYS = 'jkosam/?';
const READER_KEYS = 'sam/?';

/** Going back to the list takes a moment before its field can have the focus. */
const FOCUS_AFTER_BACK_MS = 100;

/**
 * Sets up the shortcuts.
 * @param {object} page
 * @param {HTMLElement} page.header hidden while nobody is signed in, which turns the shortcuts off
 * @param {HTMLDialogElement} page.help
 * @param {{list: HTMLElement, reader: HTMLElement}} page.sections
 * @param {import('./link-list.js').LinkList} page.list
 * @param {HTMLAnchorElement} page.backLink leads from the reader to the list
 * @param {HTMLInputElement} page.urlField
 * @param {(action: string, root: Element | null) => void} page.act
 */
export function setUpShortcuts({ header, help, sections, list, backLink, urlField, act }) {
  document.onkeydown = (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || help.open || header.hidden) return;
    const isReading = !sections.reader.hidden;
    if (key === 'Escape') {
      if (target.matches('input')) target.blur();
      else if (isReading) backLink.click();
      return;
    }
    const keys = sections.list.hidden ? READER_KEYS : LIST_KEYS;
    if (target.matches('input') || !keys.includes(key)) return;
    event.preventDefault();
    press(key, sections.list.hidden ? sections.reader : document.activeElement.closest('li'), isReading);
  };

  function press(key, root, isReading) {
    switch (key) {
      case 'j':
        focusTitle(list.neighbour(root, 1) ?? root);
        break;
      case 'k':
        focusTitle(list.neighbour(root, -1) ?? root);
        break;
      case 'o':
        root?.querySelector('h2 a')?.click();
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
