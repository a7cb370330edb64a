// Listening to the open article: the button "Listen", the bar with the controls, and the media keys.

import { t } from '../../shared/locale/translate.js';
import { createElement } from '../../shared/ui/elements.js';
import { showMessage } from '../../shared/ui/messages.js';
import { ArticleText } from '../article-text.js';
import { READING_MESSAGES } from '../reading-messages.js';
import { finishListening } from './after-listening.js';
import { offerChoices } from './bar-choices.js';
import { wantedVoice } from './listening-options.js';
import { MediaKeys } from './media-keys.js';
import { splitIntoSentences } from './sentences.js';
import { SleepTimer } from './sleep-timer.js';
import { Speaker, whenVoicesAreKnown } from './speaker.js';
import { SpokenMarks } from './spoken-marks.js';

const BLOCKS = 'p,h1,h2,h3,h4,h5,h6,li,td,th,dt,dd,pre,blockquote,figcaption,div,summary';

/** The place where listening has stopped, for each link, in this browser. */
const placeKey = (linkId) => `listening-${linkId}`;

/**
 * Sets up listening.
 * @param {HTMLElement} reader dispatches `article-shown` with `{link, article}` and `article-closed`
 * @param {object} page
 * @param {HTMLInputElement} page.speechRate the slider "Speech rate" of the text settings
 * @param {(link: Link, offset: 1) => Promise<Link | undefined>} page.adjacentLink
 * @param {(link: Link) => void} page.archive
 * @param {() => number} page.currentIndex returns the index of the first character on the screen
 * @typedef {import('../../shared/links/link-text.js').Link} Link
 */
export function setUpListening(reader, { speechRate: rateField, adjacentLink, archive, currentIndex }) {
  const body = reader.querySelector('.body');
  const button = reader.querySelector('.tools .listen');
  const bar = reader.querySelector('#listening');
  const [speed, sleep] = bar.querySelectorAll('select');
  const marks = new SpokenMarks(body);
  const timer = new SleepTimer(() => {
    sleep.value = '';
    nextId = null;
    speaker?.pause();
    showMessage(READING_MESSAGES.sleepTimerEnded);
  });
  const keys = new MediaKeys({
    play: () => play(),
    pause: () => speaker?.pause(),
    back: () => speaker?.move(-1),
    forward: () => speaker?.move(1),
  });
  let shown = null;
  /** @type {Speaker | null} */
  let speaker = null;
  let rate = Number(rateField.value);
  /** The article that is to be read aloud as soon as it is shown. */
  let nextId = null;

  // Listening begins with what is on the screen, unless another article went before.
  function createSpeaker(begin = currentIndex()) {
    const { link, article } = shown;
    const text = new ArticleText(body);
    const breaks = [...body.querySelectorAll(BLOCKS)].flatMap((block) => {
      const range = document.createRange();
      range.selectNodeContents(block);
      return Object.values(text.offsetsOf(range));
    });
    const lang = article.lang ?? '';
    const stored = localStorage.getItem(placeKey(link.id));
    return new Speaker({
      synthesis: speechSynthesis,
      text: text.text,
      sentences: splitIntoSentences(text.text, lang, breaks),
      lang,
      start: stored === null ? begin : Number(stored),
      on: {
        sentence: (range) => {
          marks.showSentence(range);
          localStorage.setItem(placeKey(link.id), range.start);
        },
        word: (range) => marks.showWord(range),
        pause: showState,
        end: () => {
          localStorage.removeItem(placeKey(link.id));
          marks.clear();
          goOn({ wasHeard: true });
        },
        failure: (code) => showMessage(READING_MESSAGES[code]),
      },
    });
  }

  async function goOn({ wasHeard }) {
    const { link } = shown;
    const isOpen = () => shown?.link === link && !bar.hidden;
    nextId = await finishListening(link, { wasHeard, adjacentLink, archive, isOpen }).catch(() => null);
  }

  async function play(begin) {
    if (!globalThis.speechSynthesis || !globalThis.SpeechSynthesisUtterance) {
      showMessage(READING_MESSAGES.ttsNotSupported);
      return;
    }
    const wanted = shown;
    await whenVoicesAreKnown(speechSynthesis);
    if (!wanted || shown !== wanted) return;
    speaker ??= createSpeaker(begin);
    speaker.rate = rate;
    speaker.voice = wantedVoice(shown.article.lang ?? '');
    bar.hidden = false;
    speaker.play();
    showState();
    if (speaker.isSpeaking) {
      keys.start({ title: reader.querySelector('h1').textContent, artist: reader.querySelector('.site').textContent });
    }
  }

  function showState() {
    const isSpeaking = !!speaker?.isSpeaking;
    const name = isSpeaking ? t('Pause') : t('Listen');
    Object.assign(button, { ariaLabel: name, title: name });
    button.querySelector('span').textContent = name;
    button.dataset.on = isSpeaking;
    if (!isSpeaking) keys.pause();
  }

  function leave() {
    speaker?.pause();
    speaker = null;
    marks.clear();
  }

  function stop() {
    if (bar.hidden) return;
    leave();
    nextId = null;
    timer.set(0);
    sleep.value = '';
    bar.hidden = true;
    keys.end();
  }

  button.onclick = () => (speaker?.isSpeaking ? speaker.pause() : play());
  bar.querySelector('.back').onclick = () => speaker?.move(-1);
  bar.querySelector('.forward').onclick = () => speaker?.move(1);
  bar.querySelector('.close').onclick = () => {
    stop();
    button.focus();
  };
  const options = createElement('button', {
    type: 'button', className: 'options', ariaLabel: t('Listening options'), title: t('Listening options'),
    textContent: '⋯',
  });
  let panel;
  options.onclick = async () => {
    const { createOptionsPanel } = await import('./options-panel.js');
    panel ??= createOptionsPanel(() => {
      if (!speaker) return;
      speaker.voice = wantedVoice(shown.article.lang ?? '');
      if (speaker.isSpeaking) speaker.play();
    });
    if (!panel.element.isConnected) reader.append(panel.element);
    if (shown) panel.show(shown.article.lang ?? '');
  };
  bar.querySelector('.close').before(options);
  sleep.onchange = () => timer.set(Number(sleep.value));
  offerChoices({ speed, sleep });
  speed.onchange = () => {
    rateField.value = speed.value / 10;
    rateField.dispatchEvent(new Event('input', { bubbles: true }));
  };
  speed.value = Math.round(rate * 10);
  addEventListener('textsettings', ({ detail: { speech_rate } }) => {
    speed.value = Math.round(speech_rate * 10);
    if (speech_rate === rate) return;
    rate = speech_rate;
    if (!speaker) return;
    speaker.rate = rate;
    if (speaker.isSpeaking) speaker.play();
  });
  reader.addEventListener('article-shown', ({ detail }) => {
    const goesOn = nextId === detail.link.id;
    nextId = null;
    if (goesOn) leave();
    else stop();
    shown = detail;
    button.hidden = !detail.article.content;
    // A page without an article is passed over.
    if (goesOn && button.hidden) goOn({ wasHeard: false });
    else if (goesOn) play(0);
  });
  reader.addEventListener('article-closed', () => {
    // The next article is on its way.
    if (nextId && location.hash.endsWith(nextId)) leave();
    else stop();
    shown = null;
    button.hidden = true;
  });
  addEventListener('pagehide', stop);
}
