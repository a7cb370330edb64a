// The panel "Listening options". Loaded when it is opened first.

import { t } from '../../shared/locale/translate.js';
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
  const hint = createElement('p', { className: 'hint', textContent: t('The best voice for the language is used.') });
  const next = createCheckbox('next', t('Go on with the next article'));
  const archive = createCheckbox('archive', t('Archive when finished'));
  const close = createElement('button', { type: 'button', className: 'strong', textContent: t('Done') });
  const element = createElement('div', { id: 'listening-options', popover: 'auto', role: 'dialog' },
    createElement('h2', { textContent: t('Listening options'), tabIndex: -1, autofocus: true }),
    createElement('label', {}, t('Voice'), voice), hint, next, archive, close);
  element.ariaLabel = t('Listening options');
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
    voice.replaceChildren(createElement('option', { value: '' }, t('Best match')), ...options);
    voice.value = wantedVoice(lang) ?? '';
    // The voice may have been removed from the device.
    if (voice.selectedIndex < 0) voice.value = '';
    hint.textContent = voices.length ? t('The choice applies to articles in this language, on this device.')
      : t('This device has no voice for the language of the article.');
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
  const voice = { name, lang: lang.replace('_', '-') };
  return localService === false ? t('{name} ({lang}, needs a network)', voice) : t('{name} ({lang})', voice);
}
