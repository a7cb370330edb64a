// Waiting until the browser has painted.

/** The longest wait, in milliseconds: a page that gets hidden is not painted. */
const LATEST_MS = 500;

/** @returns {Promise<void>} resolves after the next paint; on a hidden page at once */
export function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, document.hidden ? 0 : LATEST_MS);
  });
}
