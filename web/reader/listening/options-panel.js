// The panel "Listening options". Loaded when it is opened first.

import { createElement } from '../../shared/ui/elements.js';
import { changeOptions, readOptions, wantedVoice, wantVoice } from './listening-options.js';
import { voicesFor } from './sentences.js';

/**
 * Creates the panel.
 * @param {() => void} onVoice called after another voice was chosen
 * @returns {{element: HTMLElement, show: (lang: string) => void}} `show` fills the panel for the language of an article
 */
export function createOptionsPanel(onVoice) {
  const voice = createElement('select', { name: 'voice' });
  const hint = createElement('p', { className: 'hint', textContent: 'The best voice for the language is used.' });
  const next = createCheckbox('next', 'Go on with the next article');
  const archive = createCheckbox('archive', 'Archive when finished');
  const close = createElement('button', { type: 'button', className: 'strong', textContent: 'Done' });
  const element = createElement('div', { id: 'listening-options', popover: 'auto', role: 'dialog' },
    createElement('h2', { textContent: 'Listening options', tabIndex: -1, autofocus: true }),
    createElement('label', {}, 'Voice', voice), hint, next, archive, close);
  element.ariaLabel = 'Listening options';
  let lang = '';
  voice.onchange = () => {
    wantVoice(lang, voice.value);
    onVoice();
  };
  close.onclick = () => element.hidePopover();

  function show(shownLang) {
    lang = shownLang;
    const voices = voicesFor(globalThis.speechSynthesis?.getVoices() ?? [], lang);
    const options = voices.map((each) => createElement('option', { value: each.voiceURI }, voiceName(each)));
    voice.replaceChildren(createElement('option', { value: '' }, 'Best match'), ...options);
    voice.value = wantedVoice(lang) ?? '';
    // The voice may have been removed from the device.
    if (voice.selectedIndex < 0) voice.value = '';
    hint.textContent = voices.length ? 'The choice is for articles in this language, on this device.'
      : 'This device has no voice for the language of the article.';
    const { next: goesOn, archive: archives } = readOptions();
    next.querySelector('input').checked = goesOn;
    archive.querySelector('input').checked = archives;
    element.showPopover();
  }

  return { element, show };
}

function createCheckbox(name, text) {
  const box = createElement('input', { type: 'checkbox', name });
  box.onchange = () => changeOptions({ [name]: box.checked });
  return createElement('label', { className: 'check' }, box, text);
}

function voiceName({ name, lang, localService }) {
  return `${name} (${lang.replace('_', '-')}${localService === false ? ', needs a network' : ''})`;
}
