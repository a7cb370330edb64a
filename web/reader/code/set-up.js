// Code in articles. What colours it is loaded when the first article with code is opened.

/** The language is unknown, and the text is too short or in no `code`: it is left as it is. */
const MIN_GUESSED = 40;

/**
 * Sets up the colours of code.
 * @param {HTMLElement} reader dispatches `article-shown` and `article-closed`
 */
export function setUpCode(reader) {
  const body = reader.querySelector('.body');
  /** @type {Promise<import('./code-colours.js').CodeColours> | null} */
  let colours = null;
  let opening = null;

  reader.addEventListener('article-shown', async ({ detail }) => {
    opening = detail;
    if (colours) (await colours).clear();
    const blocks = [...body.querySelectorAll('pre')].filter(mayBeCode);
    if (!blocks.length || !CSS.highlights) return;
    colours ??= import('./code-colours.js').then(({ CodeColours }) => new CodeColours(body));
    const loaded = await colours.catch(() => {
      // Without a network, code has no colours; the next article tries again.
      colours = null;
    });
    if (opening === detail) loaded?.show(blocks);
  });
  reader.addEventListener('article-closed', async () => {
    opening = null;
    (await colours)?.clear();
  });
}

function mayBeCode(block) {
  const { textContent: text, dataset, firstElementChild } = block;
  return dataset.language || (firstElementChild?.matches('code') && text.length >= MIN_GUESSED && text.includes('\n'));
}
