// The media keys of keyboards, headphones and lock screens. Browsers give them to a page that plays sound, and the
// voices of a system do not count. So silence plays while the article is read aloud.

/** Chromium gives no keys to sounds of less than five seconds. */
const SECONDS = 6;
const SAMPLES_PER_SECOND = 8000;

export class MediaKeys {
  #session = navigator.mediaSession;
  #audio = null;

  /**
   * @param {object} actions
   * @param {() => void} actions.play
   * @param {() => void} actions.pause
   * @param {() => void} actions.back
   * @param {() => void} actions.forward
   */
  constructor(actions) {
    this.actions = actions;
  }

  /**
   * Takes the media keys for an article.
   * @param {{title: string, artist: string}} article as the system shows it
   */
  start(article) {
    if (!this.#session) return;
    this.#audio ??= Object.assign(new Audio(URL.createObjectURL(silence())), { loop: true });
    // Without the sound, everything but the keys works.
    this.#audio.play().catch(() => {});
    this.#session.metadata = new MediaMetadata(article);
    this.#session.playbackState = 'playing';
    const { play, pause, back, forward } = this.actions;
    this.#handle({ play, pause, stop: pause, previoustrack: back, nexttrack: forward });
  }

  /** The article is not being read aloud; the key "play" goes on. */
  pause() {
    this.#audio?.pause();
    if (this.#session) this.#session.playbackState = 'paused';
  }

  /** Leaves the media keys to other pages. */
  end() {
    this.#audio?.pause();
    if (!this.#session) return;
    this.#session.metadata = null;
    this.#session.playbackState = 'none';
    this.#handle({ play: null, pause: null, stop: null, previoustrack: null, nexttrack: null });
  }

  #handle(handlers) {
    for (const [action, handler] of Object.entries(handlers)) this.#session.setActionHandler(action, handler);
  }
}

// A WAV file of eight-bit samples, whose middle is silence.
function silence() {
  const samples = new Uint8Array(SECONDS * SAMPLES_PER_SECOND).fill(128);
  const header = new DataView(new ArrayBuffer(44));
  const text = (at, value) => [...value].forEach((sign, i) => header.setUint8(at + i, sign.charCodeAt(0)));
  text(0, 'RIFF');
  header.setUint32(4, 36 + samples.length, true);
  text(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  // PCM, one channel; samples and bytes a second; one byte and eight bits a sample.
  for (const [at, value] of [[20, 1], [22, 1], [32, 1], [34, 8]]) header.setUint16(at, value, true);
  for (const at of [24, 28]) header.setUint32(at, SAMPLES_PER_SECOND, true);
  text(36, 'data');
  header.setUint32(40, samples.length, true);
  return new Blob([header, samples], { type: 'audio/wav' });
}
