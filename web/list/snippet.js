// The passage that a search has found.

const CHARACTERS = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&#x27;': "'", '&amp;': '&' };

/**
 * Splits a snippet into its texts. The server escapes the text and marks matches with `<mark>`; any other markup
 * comes out as text.
 * @param {string} html
 * @returns {{text: string, isMatch: boolean}[]} without empty texts
 */
export function snippetParts(html) {
  return html.split(/<mark>(.*?)<\/mark>/s)
    .map((part, index) => ({ text: unescape(part), isMatch: index % 2 === 1 }))
    .filter(({ text }) => text);
}

function unescape(text) {
  return text.replace(/&(?:lt|gt|quot|#39|#x27|amp);/g, (reference) => CHARACTERS[reference]);
}
