// Styles that are loaded when they are needed.

import { createElement } from './elements.js';

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Loads a stylesheet, unless that has been done.
 * @param {string} path
 * @returns {Promise<void>} resolves when it applies or could not be had
 */
export function loadStyles(path) {
  if (!loading.has(path)) {
    loading.set(path, new Promise((resolve) => {
      const link = createElement('link', { rel: 'stylesheet', href: path });
      link.onload = resolve;
      link.onerror = () => {
        // The next use tries again.
        loading.delete(path);
        link.remove();
        resolve();
      };
      document.head.append(link);
    }));
  }
  return loading.get(path);
}
