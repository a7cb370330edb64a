// The note of the open article: a field that saves while one types.

import { t } from '../../shared/locale/translate.js';
import { waitingChanges } from '../../shared/offline/waiting-changes.js';
import { createElement } from '../../shared/ui/elements.js';
import { showError } from '../../shared/ui/toast.js';
import { Autosave } from './autosave.js';
import { fetchNote, NOTE_KEY, storeNote, storeNoteLater } from './notes-api.js';

/** Pause after the last key before the note is saved. */
const PAUSE_MS = 800;

/** The longest note that the server stores, in characters. */
const MAX_LENGTH = 1_000_000;

export class NoteField {
  #field = createElement('textarea', {
    rows: 4, maxLength: MAX_LENGTH, dir: 'auto', placeholder: t('What do you think of this article?'), disabled: true,
  });
  #status = createElement('span', { role: 'status' });
  #undo = createElement('button', { type: 'button', textContent: t('Undo'), hidden: true });
  #linkId = null;
  /** Whether another device may have changed the note while the user was in the field. */
  #isOutdated = false;
  /** @type {Autosave | null} */
  #autosave = null;
  /** Link id → the promise that ends when its note, which the user has left, is saved or kept. */
  #closing = new Map();

  constructor() {
    /** The field with its label and status. */
    this.element = createElement('section', { className: 'note' },
      createElement('label', {}, t('Note on the article'), this.#field),
      createElement('p', {}, this.#status, ' ', this.#undo));
    this.#field.oninput = () => this.#autosave?.change(this.#field.value);
    this.#field.onblur = async () => {
      await this.#autosave?.flush();
      if (this.#isOutdated) this.reload();
    };
    this.#undo.onclick = async () => {
      this.#field.focus();
      this.#field.value = await this.#autosave.undo();
    };
    addEventListener('pagehide', () => this.#autosave?.flush());
  }

  /** The text in the field. */
  get text() {
    return this.#field.value;
  }

  /**
   * Loads the note of a link.
   * @param {string} linkId
   */
  async open(linkId) {
    if (this.#linkId === linkId) return;
    this.close();
    this.#linkId = linkId;
    try {
      // Its text may be on the way to the server, or to the changes that wait.
      await this.#closing.get(linkId);
      const text = await fetchNote(linkId);
      if (this.#linkId === linkId) this.#show(linkId, text);
    } catch (error) {
      if (this.#linkId === linkId) this.#say(error.message);
    }
  }

  /**
   * Follows a change of a note that may be this one.
   * @param {import('../../shared/api/realtime.js').Change} change
   */
  receive({ record, old_record }) {
    if ((record ?? old_record)?.link_id === this.#linkId) this.reload();
  }

  /** Shows the note as another device has saved it, once the user is not in the field. */
  async reload() {
    this.#isOutdated = document.activeElement === this.#field;
    if (this.#isOutdated) return;
    const linkId = this.#linkId;
    const autosave = this.#autosave;
    const before = this.#field.value;
    const isWaiting = (await waitingChanges()).some((each) => each.linkId === linkId && each.key === NOTE_KEY);
    if (!autosave?.isIdle || isWaiting) return;
    const text = await fetchNote(linkId).catch(() => before);
    const isChanged = this.#autosave !== autosave || !autosave.isIdle || this.#field.value !== before;
    if (isChanged || text === before) return;
    autosave.accept(text);
    this.#field.value = text;
    this.#undo.hidden = true;
    this.#say('');
  }

  /** Saves what is not saved, and forgets the link. */
  close() {
    if (this.#autosave) this.#closing.set(this.#linkId, saveOnClose(this.#linkId, this.#autosave));
    this.#autosave = null;
    this.#linkId = null;
    this.#field.value = '';
    this.#field.disabled = true;
    this.#undo.hidden = true;
    this.#say('');
  }

  #show(linkId, text) {
    this.#field.value = text;
    this.#field.disabled = false;
    const autosave = new Autosave({
      text,
      pause: PAUSE_MS,
      save: (body) => storeNote(linkId, body, { keepalive: document.visibilityState === 'hidden' }),
      onState: (state, error) => {
        if (this.#autosave === autosave) this.#showState(state, error);
      },
    });
    this.#autosave = autosave;
  }

  #showState(state, error) {
    if (state === 'failed') this.#say(t('Not saved: {message}', { message: error.message }));
    else this.#say({ changed: '', saving: t('Saving…'), saved: t('Saved.') }[state]);
    this.#undo.hidden = state !== 'saved' || !this.#autosave.canUndo;
  }

  #say(text) {
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }
}

// If the server refuses the text, it is kept as a waiting change, which shows the reason.
async function saveOnClose(linkId, autosave) {
  await autosave.flush();
  if (autosave.isDirty) await storeNoteLater(linkId, autosave.text).catch(showError);
}
