// A section of a page with a list: `.rows` holds the items, `.list-status` says that the list is empty or could
// not be loaded, and `.retry` loads it again.

/**
 * Sets up a section whose list is rebuilt at each refresh, and loads it.
 * @template T
 * @param {HTMLElement} section `data-empty` is its message for an empty list
 * @param {() => Promise<T[]>} load
 * @param {(item: T) => HTMLElement} createRow
 * @param {(items: T[]) => void} [onLoaded] called after each successful load
 * @returns {() => Promise<void>} refreshes the list
 */
export function setUpListSection(section, load, createRow, onLoaded = () => {}) {
  const rows = section.querySelector('.rows');
  let asked = 0;
  let shown = 0;
  let unfinished = 0;
  let count = 0;
  const update = sectionUpdater(section, async () => {
    asked += 1;
    const number = asked;
    const items = await load().catch((error) => { if (number > shown) throw error; });
    // An answer that arrives later may be older.
    if (items && number > shown) {
      shown = number;
      count = items.length;
      replaceRows(section, rows, items.map(createRow));
      onLoaded(items);
    }
    return count;
  });
  async function refresh() {
    rows.ariaBusy = 'true';
    unfinished += 1;
    await update();
    unfinished -= 1;
    if (!unfinished) rows.ariaBusy = null;
  }
  section.querySelector('.retry').onclick = refresh;
  refresh();
  return refresh;
}

/**
 * Returns a function that updates a section and shows its message: the error if `update` fails, or the
 * message for an empty list.
 * @param {HTMLElement} section
 * @param {() => Promise<number>} update returns the number of items
 * @returns {() => Promise<void>}
 */
export function sectionUpdater(section, update) {
  const status = section.querySelector('.list-status');
  const retry = section.querySelector('.retry');
  const showStatus = (message) => {
    // Setting the same text again would make screen readers repeat it.
    if (status.textContent !== message) status.textContent = message;
  };
  return async () => {
    try {
      const count = await update();
      showStatus(count ? '' : section.dataset.empty ?? '');
      retry.hidden = true;
    } catch (error) {
      showStatus(error.message);
      retry.hidden = false;
    }
  };
}

// If the focus was inside the list, it moves to the heading of the section instead of the top of the page.
function replaceRows(section, rows, items) {
  const hadFocus = rows.contains(document.activeElement);
  rows.replaceChildren(...items);
  if (hadFocus) section.querySelector('h2').focus({ preventScroll: true });
}
