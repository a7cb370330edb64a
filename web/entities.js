// Values as they are shown. What a page gave is text; what a client sent may hold HTML's character references.
const reader = document.createElement('textarea');  // in no document, and it takes no elements

function decoded(reference) {  // `&`, letters, digits, `#` and `;` and nothing else: no markup can be in it
  reader.innerHTML = reference;
  return reader.textContent;
}

export const shown = (value, isText) => isText ? value ?? '' : (value ?? '').replace(/&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);?/gi, decoded);
