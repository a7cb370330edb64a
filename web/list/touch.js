// Touching a card: a long press selects it, and a swipe does what the settings say.

/** A touch that ended longer ago does nothing any more. */
const LATE_MS = 2000;

/**
 * Loads what answers touches at the first one, which is then followed from where it began.
 * @param {HTMLElement} rows the element with the cards
 * @param {() => Promise<any>} load resolves when `pointerdown` is listened to
 */
export function setUpTouch(rows, load) {
  rows.addEventListener('pointerdown', onPointerDown);

  async function onPointerDown(event) {
    if (event.pointerType !== 'touch') return;
    rows.removeEventListener('pointerdown', onPointerDown);
    const events = [event];
    const end = new AbortController();
    for (const type of ['pointermove', 'pointerup', 'pointercancel']) {
      document.addEventListener(type, (next) => events.push(next), { signal: end.signal });
    }
    try {
      await load();
    } catch {
      // The next touch loads it again.
      rows.addEventListener('pointerdown', onPointerDown);
      return;
    } finally {
      end.abort();
    }
    // The touch may be over by now, and the list may have been left.
    const last = events.at(-1);
    const isOver = ['pointerup', 'pointercancel'].includes(last.type);
    const isLate = isOver && performance.now() - last.timeStamp > LATE_MS;
    if (isLate || !event.target.checkVisibility()) return;
    for (const each of events) event.target.dispatchEvent(new PointerEvent(each.type, each));
  }
}
