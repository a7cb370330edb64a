// Touching a card: a long press selects it, and a swipe archives or deletes it.

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
    let isOver = false;
    const end = new AbortController();
    for (const type of ['pointerup', 'pointercancel']) {
      document.addEventListener(type, () => {
        isOver = true;
      }, { signal: end.signal });
    }
    await load();
    end.abort();
    if (!isOver) event.target.dispatchEvent(new PointerEvent(event.type, event));
  }
}
