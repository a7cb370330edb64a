// Listening to the open article: the button "Listen", the bar with the controls, and the media keys.

import { createElement } from '../../shared/ui/elements.js';
import { showMessage } from '../../shared/ui/messages.js';
import { ArticleText } from '../article-text.js';
import { indexAt } from '../progress/text-positions.js';
import { MediaKeys } from './media-keys.js';
import { splitIntoSentences } from './sentences.js';
import { SleepTimer } from './sleep-timer.js';
import { Speaker, whenVoicesAreKnown } from './speaker.js';
import { SpokenMarks } from './spoken-marks.js';

const BLOCKS = 'p,h1,h2,h3,h4,h5,h6,li,td,th,dt,dd,pre,blockquote,figcaption,div,summary';

/** Choices of the speed, in tenths. */
const SPEEDS = Array.from({ length: 16 }, (_, index) => index + 5);

/** The place where listening has stopped, for each link, in this browser. */
const placeKey = (linkId) => `listening-${linkId}`;

/**
 * Sets up listening.
 * @param {HTMLElement} reader dispatches `article-shown` with `{link, article}` and `article-closed`
 * @param {HTMLInputElement} rateField the slider "Speech rate" of the text settings
 */
export function setUpListening(reader, rateField) {
  const body = reader.querySelector('.body');
  const button = reader.querySelector('.tools .listen');
  const bar = reader.querySelector('#listening');
  const [speed, sleep] = bar.querySelectorAll('select');
  const marks = new SpokenMarks(body);
  const timer = new SleepTimer(() => {
    sleep.value = '';
    speaker?.pause();
    showMessage('sleepTimerEnded');
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

  function createSpeaker() {
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
      // Listening begins with what is on the screen.
      start: stored === null ? indexAt(body, reader.querySelector('.tools').offsetHeight) : Number(stored),
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
        },
        failure: showMessage,
      },
    });
  }

  async function play() {
    if (!globalThis.speechSynthesis || !globalThis.SpeechSynthesisUtterance) {
      showMessage('ttsNotSupported');
      return;
    }
    const wanted = shown;
    await whenVoicesAreKnown(speechSynthesis);
    if (!wanted || shown !== wanted) return;
    speaker ??= createSpeaker();
    speaker.rate = rate;
    bar.hidden = false;
    speaker.play();
    showState();
    if (speaker.isSpeaking) {
      keys.start({ title: reader.querySelector('h1').textContent, artist: reader.querySelector('.site').textContent });
    }
  }

  function showState() {
    const isSpeaking = !!speaker?.isSpeaking;
    const name = isSpeaking ? 'Pause' : 'Listen';
    Object.assign(button, { ariaLabel: name, title: name });
    button.querySelector('span').textContent = name;
    button.dataset.on = isSpeaking;
    if (!isSpeaking) keys.pause();
  }

  function stop() {
    if (!speaker) return;
    speaker.pause();
    speaker = null;
    timer.set(0);
    sleep.value = '';
    bar.hidden = true;
    marks.clear();
    keys.end();
  }

  button.onclick = () => (speaker?.isSpeaking ? speaker.pause() : play());
  bar.querySelector('.back').onclick = () => speaker?.move(-1);
  bar.querySelector('.forward').onclick = () => speaker?.move(1);
  bar.querySelector('.close').onclick = () => {
    stop();
    button.focus();
  };
  sleep.onchange = () => timer.set(Number(sleep.value));
  speed.append(...SPEEDS.map((tenths) => createElement('option', { value: tenths }, `${(tenths / 10).toFixed(1)}×`)));
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
    stop();
    shown = detail;
    button.hidden = !detail.article.content;
  });
  reader.addEventListener('article-closed', () => {
    stop();
    shown = null;
    button.hidden = true;
  });
  addEventListener('pagehide', stop);
}
