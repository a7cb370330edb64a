// HTML character references in titles and descriptions. The server stores values from a page as plain text;
// values from a client may contain character references.

const REFERENCE = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);?/gi;

// A textarea outside the document: the browser's own decoder, and it never creates elements.
let decoder;

/**
 * Returns a value as it is to be shown.
 * @param {string | null | undefined} value
 * @param {boolean} isText whether the value is plain text, without character references
 * @returns {string}
 */
export function displayText(value, isText) {
  if (!value) return '';
  return isText ? value : value.replace(REFERENCE, decodeReference);
}

// The pattern admits `&`, letters, digits, `#` and `;`, so the reference cannot contain markup.
function decodeReference(reference) {
  decoder ??= document.createElement('textarea');
  decoder.innerHTML = reference;
  return decoder.textContent;
}
