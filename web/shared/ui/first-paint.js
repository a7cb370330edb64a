// Applies the theme that this browser remembers, and the language, before anything is painted. A classic script in the
// head of each page, because a module would run after the first paint. See `reader/settings/settings-store.js` for the
// theme and `settings/language.js` for the language.

{
  /** The languages of the pages and their directions. All but English have a catalogue in web/locales. */
  const LANGUAGES = { en: 'ltr', de: 'ltr', ar: 'rtl' };
  const root = document.documentElement;
  const languageOf = (tag) => tag.split('-')[0].toLowerCase();

  try {
    if (localStorage.getItem('debug-log')) import(new URL('debug-log.js', document.currentScript.src));
    const { theme } = JSON.parse(localStorage.getItem('reading-settings'));
    root.dataset.theme = theme;
  } catch {
    // Nothing is remembered: the theme of the system applies.
  }

  let choices = Object.keys(LANGUAGES);
  try {
    const chosen = localStorage.getItem('language');
    if (choices.includes(chosen)) choices = [chosen];
  } catch {
    // The storage is closed to pages: the languages of the browser apply.
  }
  // The browser may name a region, which has its own formats of numbers and dates.
  root.lang = navigator.languages.find((tag) => choices.includes(languageOf(tag))) ?? choices[0];
  const language = languageOf(root.lang);
  root.dir = LANGUAGES[language];
  if (language !== 'en') {
    const preload = document.createElement('link');
    const href = new URL(`../../locales/${language}.json`, document.currentScript.src).href;
    Object.assign(preload, { rel: 'preload', as: 'fetch', crossOrigin: '', href });
    document.head.append(preload);
  }
}
