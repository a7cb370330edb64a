// Copying a text in several formats at once.

/**
 * Copies a text during a click. Something must be selected, or some browsers copy nothing. This also works without
 * HTTPS, where the clipboard API does not exist.
 * @param {Record<string, string>} parts media type → the text in it
 * @returns {boolean} whether the browser did it
 */
export function copyParts(parts) {
  let isDone = false;
  const write = (event) => {
    for (const [type, text] of Object.entries(parts)) event.clipboardData.setData(type, text);
    event.preventDefault();
    isDone = true;
  };
  document.addEventListener('copy', write, { once: true });
  document.execCommand('copy');
  document.removeEventListener('copy', write);
  return isDone;
}
