// Applies the theme that this browser remembers before anything is painted. A classic script in the head of
// each page, because a module would run after the first paint. See `reader/settings/settings-store.js`.

try {
  const { theme } = JSON.parse(localStorage.getItem('reading-settings'));
  document.documentElement.dataset.theme = theme;
} catch {
  // Nothing is remembered: the theme of the system applies.
}
