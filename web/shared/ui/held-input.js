// Holds input that arrives before the module that handles it, and repeats it then.

const TYPES = ['click', 'submit', 'keydown', 'input', 'change'];

/** Files that were dropped on the page, until `file-drop.js` takes them. */
export const droppedFiles = [];

for (const type of ['dragover', 'drop']) {
  addEventListener(type, (event) => {
    const { types, files } = event.dataTransfer ?? {};
    if (!types?.includes('Files')) return;
    // The browser would leave the page and open the file.
    event.preventDefault();
    if (type === 'drop') droppedFiles.push(...files);
  });
}

/**
 * Holds the input of an element until a module is loaded. The first input loads it.
 * @param {EventTarget} element
 * @param {(event: Event) => boolean} isHeld whether the module answers an event
 * @param {() => Promise<void>} load resolves when the module listens
 * @returns {() => Promise<void>} loads the module and does again what was held
 */
export function holdInput(element, isHeld, load) {
  const held = [];
  // The page may set its fields while it starts.
  const values = new Map();
  const hold = (event) => {
    if (!isHeld(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held.push(event);
    values.set(event.target, event.target.value);
    if (held.length === 1) release();
  };
  const release = async () => {
    try {
      await load();
    } catch {
      // The next input loads it again.
      held.length = 0;
      return;
    }
    for (const type of TYPES) element.removeEventListener(type, hold, { capture: true });
    for (const event of held.splice(0)) repeat(event, values.get(event.target));
  };
  for (const type of TYPES) element.addEventListener(type, hold, { capture: true });
  return release;
}

// What was pressed may be gone.
function repeat({ type, target, submitter, key, code, shiftKey }, value) {
  if (type === 'keydown') {
    const place = target.isConnected ? target : document.body;
    place.dispatchEvent(new KeyboardEvent(type, { key, code, shiftKey, bubbles: true, cancelable: true }));
  } else if (!target.isConnected) {
    return;
  } else if (type === 'submit') {
    target.requestSubmit(submitter);
  } else if (type === 'click') {
    target.dispatchEvent(new MouseEvent(type, { shiftKey, bubbles: true, cancelable: true }));
  } else {
    target.value = value;
    target.dispatchEvent(new Event(type, { bubbles: true }));
  }
}
