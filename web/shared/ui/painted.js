// Waiting until the browser has painted.

/** @returns {Promise<void>} resolves after the next paint; on a hidden page, which is not painted, soon */
export function painted() {
  return new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve);
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}
