// Speaks the sentences of one article, one after the other.

import { chooseVoice } from './sentences.js';

/** Errors that are answers to `cancel`, not failures. */
const CANCELLED = ['canceled', 'interrupted'];

/** Errors that mean that there is no voice for the language. */
const NO_VOICE = ['voice-unavailable', 'language-unavailable'];

/** Other errors that the user can do something about. */
const MESSAGES = { network: 'ttsNetwork', 'not-allowed': 'ttsNotAllowed' };

/** A voice that says nothing within this time has failed; some browsers do not report it. */
const START_MS = 8000;

/** Browsers load their list of voices late, and some have none. */
const VOICES_MS = 1000;

/**
 * Waits until the voices are known, or until it is clear that the browser does not tell them.
 * @param {SpeechSynthesis} synthesis
 */
export async function whenVoicesAreKnown(synthesis) {
  if (synthesis.getVoices().length) return;
  await new Promise((resolve) => {
    synthesis.addEventListener?.('voiceschanged', resolve, { once: true });
    setTimeout(resolve, VOICES_MS);
  });
}

export class Speaker {
  #synthesis;
  #sentences;
  #text;
  #lang;
  #on;
  #index;
  #startTimer;
  /** Events of earlier utterances are ignored. Held here, because browsers drop utterances nobody holds. */
  #utterance = null;

  /** As a multiple of the voice's own rate. */
  rate = 1;

  /**
   * The `voiceURI` that the user wants.
   * @type {string | undefined}
   */
  voice;

  isSpeaking = false;

  /**
   * @param {object} options
   * @param {SpeechSynthesis} options.synthesis
   * @param {string} options.text
   * @param {TextRange[]} options.sentences
   * @param {string} options.lang of the article, or empty
   * @param {number} options.start offset in the text; the sentence there is the first
   * @param {object} options.on
   * @param {(range: TextRange) => void} options.on.sentence
   * @param {(range: TextRange) => void} options.on.word
   * @param {() => void} options.on.pause called when speaking pauses, ends or fails
   * @param {() => void} options.on.end called after the last sentence
   * @param {(code: string) => void} options.on.failure
   */
  constructor({ synthesis, text, sentences, lang, start, on }) {
    this.#synthesis = synthesis;
    this.#text = text;
    this.#sentences = sentences;
    this.#lang = lang;
    this.#on = on;
    this.#index = Math.max(sentences.findIndex(({ end }) => end > start), 0);
  }

  /** Speaks from the current sentence on. */
  play() {
    const voices = this.#synthesis.getVoices();
    const voice = chooseVoice(voices, this.#lang, this.voice);
    if (voices.length && !voice) {
      this.#fail('voiceNotAvailable');
      return;
    }
    const range = this.#sentences[this.#index];
    this.#stop();
    if (!range) return;
    this.isSpeaking = true;
    this.#on.sentence(range);
    this.#utterance = this.#createUtterance(range, voice);
    this.#startTimer = setTimeout(() => this.#fail('ttsError'), START_MS);
    this.#synthesis.speak(this.#utterance);
  }

  pause() {
    this.#stop();
    this.#on.pause();
  }

  /**
   * Moves to another sentence, and goes on speaking there if it was speaking.
   * @param {number} count of sentences; negative ones go back
   */
  move(count) {
    this.#index = Math.max(0, Math.min(this.#sentences.length - 1, this.#index + count));
    if (this.isSpeaking) this.play();
    else if (this.#sentences.length) this.#on.sentence(this.#sentences[this.#index]);
  }

  #createUtterance({ start, end }, voice) {
    const utterance = new SpeechSynthesisUtterance(this.#text.slice(start, end));
    Object.assign(utterance, { rate: this.rate, lang: voice?.lang ?? this.#lang }, voice && { voice });
    const listen = (type, listener) => {
      utterance[`on${type}`] = (event) => {
        if (this.#utterance !== utterance) return;
        clearTimeout(this.#startTimer);
        listener(event);
      };
    };
    listen('start', () => {});
    listen('boundary', ({ name, charIndex, charLength }) => {
      if (name === 'sentence' || !charLength) return;
      this.#on.word({ start: start + charIndex, end: start + charIndex + charLength });
    });
    listen('end', () => this.#next());
    listen('error', ({ error }) => {
      if (CANCELLED.includes(error)) this.pause();
      else this.#fail(NO_VOICE.includes(error) ? 'voiceNotAvailable' : MESSAGES[error] ?? 'ttsError');
    });
    return utterance;
  }

  #next() {
    this.#index += 1;
    if (this.#index < this.#sentences.length) {
      this.play();
      return;
    }
    this.#index = 0;
    this.pause();
    this.#on.end();
  }

  #fail(code) {
    this.pause();
    this.#on.failure(code);
  }

  #stop() {
    clearTimeout(this.#startTimer);
    this.#utterance = null;
    this.isSpeaking = false;
    this.#synthesis.cancel();
  }
}

/** @typedef {import('./sentences.js').TextRange} TextRange */
