// The pictures of an article, enlarged: one fills the window, and the arrow keys lead to the others.

import { t } from '../shared/locale/translate.js';

/** Pictures that are smaller, in pixels, are symbols. */
const MIN_SIZE = 100;

/** A click on a picture in one of these does something else. */
const INTERACTIVE = 'a, button, summary, label';

const ENLARGEABLE = 'img[data-enlargeable]';

/**
 * Sets up the dialog.
 * @param {HTMLElement} body contains the article
 * @param {HTMLDialogElement} dialog
 */
export function setUpLightbox(body, dialog) {
  const picture = dialog.querySelector('img');
  const caption = dialog.querySelector('p');
  const previous = dialog.querySelector('.previous');
  const next = dialog.querySelector('.next');
  let shown = null;

  const all = () => [...body.querySelectorAll(ENLARGEABLE)].filter((image) => image.checkVisibility());

  function show(image) {
    const images = all();
    const index = images.indexOf(image);
    shown = image;
    Object.assign(picture, { src: image.currentSrc || image.src, alt: image.alt });
    caption.textContent = image.closest('figure')?.querySelector('figcaption')?.textContent.trim() || image.alt;
    caption.dir = 'auto';
    dialog.ariaLabel = images.length > 1
      ? t('Picture {number} of {all}', { number: index + 1, all: images.length })
      : t('Picture');
    previous.disabled = index <= 0;
    next.disabled = index >= images.length - 1;
    if (!dialog.open) dialog.showModal();
    // The button that was pressed may have led to the first or the last picture.
    if (!dialog.querySelector(':enabled:focus')) dialog.querySelector('.close').focus();
  }

  function move(offset) {
    const image = all()[all().indexOf(shown) + offset];
    if (image) show(image);
  }

  // The event does not bubble.
  body.addEventListener('load', ({ target }) => {
    if (target.localName === 'img') makeEnlargeable(target);
  }, { capture: true });
  body.addEventListener('click', ({ target }) => {
    if (target.matches(ENLARGEABLE)) show(target);
  });
  body.addEventListener('keydown', (event) => {
    if (!event.target.matches(ENLARGEABLE) || !['Enter', ' '].includes(event.key)) return;
    event.preventDefault();
    show(event.target);
  });
  dialog.addEventListener('keydown', ({ key }) => {
    const left = getComputedStyle(dialog).direction === 'rtl' ? 1 : -1;
    if (key === 'ArrowLeft') move(left);
    else if (key === 'ArrowRight') move(-left);
  });
  // A click anywhere but on the buttons closes.
  dialog.addEventListener('click', ({ target }) => {
    if (!target.closest('button, p') || target.closest('.close')) dialog.close();
  });
  previous.onclick = () => move(-1);
  next.onclick = () => move(1);
  dialog.addEventListener('close', () => {
    shown.focus();
    picture.removeAttribute('src');
  });
}

function makeEnlargeable(image) {
  const isSmall = image.naturalWidth < MIN_SIZE || image.naturalHeight < MIN_SIZE;
  if (isSmall || image.closest(INTERACTIVE)) return;
  image.dataset.enlargeable = '';
  image.tabIndex = 0;
  image.role = 'button';
  image.ariaLabel = image.alt ? t('Enlarge picture: {alt}', { alt: image.alt }) : t('Enlarge picture');
}
