// A section's list: busy while it is on its way, in words when it is empty, with a way on when it does not come.
const $ = (selector, root) => root.querySelector(selector);

/** Fills the section with a row for each thing `load` gives; returns what fills it anew. */
export function listing(section, load, row, then = () => {}) {
  const rows = $('.rows', section);
  const refresh = filling(section, async () => {
    const things = await load();
    replace(section, rows, things.map(row));
    then(things);
    return things.length;
  });
  async function visibly() {
    rows.ariaBusy = 'true';
    await refresh();
    rows.ariaBusy = null;
  }
  $('.again', section).onclick = visibly;
  visibly();
  return visibly;
}

/** What has a section filled, and says so when that has found nothing, or has failed. `fill` answers how many there are. */
export function filling(section, fill) {
  const none = $('.none', section), again = $('.again', section);
  // The same words twice are not read out twice.
  const say = (words) => { if (none.textContent !== words) none.textContent = words; };
  return async () => {
    try {
      const count = await fill();
      say(count ? '' : section.dataset.empty ?? '');
      again.hidden = true;
    } catch ({ message }) {
      say(message);
      again.hidden = false;
    }
  };
}

// Whose row has gone finds itself at the section's name, not at the top of the page.
function replace(section, rows, items) {
  const wasInside = rows.contains(document.activeElement);
  rows.replaceChildren(...items);
  if (wasInside) $('h2', section).focus({ preventScroll: true });
}
