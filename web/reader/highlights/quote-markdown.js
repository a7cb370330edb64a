// Highlights and notes as Markdown, for the clipboard.

/**
 * Returns a highlight as a Markdown quotation with its note below.
 * @param {{quote: string, note?: string | null}} highlight
 */
export function highlightMarkdown({ quote, note }) {
  const lines = quote.trim().split('\n').map((line) => `> ${line.trim()}`.trimEnd());
  return [lines.join('\n'), note?.trim()].filter(Boolean).join('\n\n');
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
  return [heading, url && `<${url}>`, note?.trim(), ...highlights.map(highlightMarkdown)]
    .filter(Boolean).join('\n\n').concat('\n');
}
