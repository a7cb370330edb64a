// The language of the pages. `shared/ui/first-paint.js` applies the choice.

/** @param {HTMLSelectElement} choice its values are languages, and the empty text for those of the browser */
export function setUpLanguage(choice) {
  choice.value = localStorage.getItem('language') ?? '';
  choice.onchange = () => {
    if (choice.value) localStorage.setItem('language', choice.value);
    else localStorage.removeItem('language');
    location.reload();
  };
}
