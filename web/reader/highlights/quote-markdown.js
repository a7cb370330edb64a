// Quotations, highlights and notes as Markdown, for the clipboard.

/** Signs that would end the text or the address of a Markdown link, or that have a meaning in its text. */
const MARKS_OF_TEXT = /[\\[\]`*_<]/g;
const MARKS_OF_ADDRESS = /[\s()<>\\]/g;

/**
 * Returns a highlight as a Markdown quotation with its note below.
 * @param {{quote: string, note?: string | null}} highlight
 */
export function highlightMarkdown({ quote, note }) {
  const lines = quote.trim().split('\n').map((line) => `> ${line.trim()}`.trimEnd());
  return [lines.join('\n'), note?.trim()].filter(Boolean).join('\n\n');
}

/**
 * Returns a quotation as Markdown with a link to where it is from.
 * @param {object} quotation
 * @param {string} quotation.quote
 * @param {string} quotation.title of the article
 * @param {string} quotation.url without one that is http or https, the title is not a link
 */
export function quotationMarkdown({ quote, title, url }) {
  const text = title.replace(/\s+/g, ' ').trim().replace(MARKS_OF_TEXT, '\\$&');
  const address = url.replace(MARKS_OF_ADDRESS, encodeMark);
  return `${highlightMarkdown({ quote })}\n\n${/^https?:/i.test(url) ? `[${text}](${address})` : text}\n`;
}

/**
 * Returns an article's note and highlights as a Markdown document.
 * @param {object} article
 * @param {string} article.title
 * @param {string} article.url
 * @param {string} [article.note] of the whole article
 * @param {{quote: string, note?: string | null}[]} article.highlights in the order of the text
 */
export function articleMarkdown({ title, url, note, highlights }) {
  const heading = `# ${title.replace(/\s+/g, ' ').trim()}`;
  return [heading, /^https?:/i.test(url) && `<${url}>`, note?.trim(), ...highlights.map(highlightMarkdown)]
    .filter(Boolean).join('\n\n').concat('\n');
}

function encodeMark(mark) {
  return [...new TextEncoder().encode(mark)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
}
