// Returns the selection with the text around it, by which the server finds the passage in the article. A classic
// script.

(() => {
  /** UTF-16 units: of the text before and after, and of the longest passage. */
  const AROUND = 32;
  const MAX_QUOTE = 20_000;
  /** Text that is looked through on either side; white space is not counted. */
  const MAX_LOOK = 2_000;

  const squeeze = (text) => text.replace(/\s+/g, ' ');

  const selection = getSelection();
  const quote = squeeze(selection.toString()).trim().slice(0, MAX_QUOTE);
  if (!quote || !selection.rangeCount) return null;
  const range = selection.getRangeAt(0);
  const body = Object.getOwnPropertyDescriptor(Document.prototype, 'body').get.call(document);
  const outside = (start) => {
    const rest = document.createRange();
    rest.selectNodeContents(body);
    if (start) rest.setEnd(range.startContainer, range.startOffset);
    else rest.setStart(range.endContainer, range.endOffset);
    return rest.toString();
  };
  return {
    quote,
    prefix: squeeze(outside(true).slice(-MAX_LOOK)).slice(-AROUND),
    suffix: squeeze(outside(false).slice(0, MAX_LOOK)).slice(0, AROUND),
  };
})();
