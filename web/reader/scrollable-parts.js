// Code and tables that are larger than the screen are scrolled by themselves, also with the keyboard.

const PARTS = 'pre, table';

/**
 * Makes such parts focusable while they have something to scroll.
 * @param {HTMLElement} reader dispatches `article-shown` and `article-closed`
 */
export function setUpScrollableParts(reader) {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = target;
      const isLarger = scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
      if (isLarger) target.tabIndex = 0;
      else if (target.tabIndex === 0) target.removeAttribute('tabindex');
    }
  });
  reader.addEventListener('article-shown', () => {
    observer.disconnect();
    for (const part of reader.querySelectorAll(`.body :is(${PARTS})`)) observer.observe(part);
  });
  reader.addEventListener('article-closed', () => observer.disconnect());
}
