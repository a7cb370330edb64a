// A section's list: busy while it is on its way, in words when it is empty, with a way on when it does not come.
const $ = (selector, root) => root.querySelector(selector);

/** Fills the section with a row for each thing `load` gives; returns what fills it anew. */
export function listing(section, load, row, then = () => {}) {
  const rows = $('.rows', section), none = $('.none', section), again = $('.again', section);
  async function refresh() {
    rows.ariaBusy = 'true';
    try {
      const things = await load();
      replace(section, rows, things.map(row));
      [none.textContent, again.hidden] = [things.length ? '' : section.dataset.empty ?? '', true];
      then(things);
    } catch ({ message }) {
      [none.textContent, again.hidden] = [message, false];
    } finally {
      rows.ariaBusy = null;
    }
  }
  again.onclick = refresh;
  refresh();
  return refresh;
}

// Whose row has gone finds itself at the section's name, not at the top of the page.
function replace(section, rows, items) {
  const wasInside = rows.contains(document.activeElement);
  rows.replaceChildren(...items);
  if (wasInside) $('h2', section).focus({ preventScroll: true });
}
