// The reading settings of the signed-in user. A copy in this browser makes the first paint right and keeps
// changes that could not be saved yet.

import { request } from '../../shared/api/client.js';
import { currentSession, restRequest } from '../../shared/api/session.js';
import { syncedSettings, validSettings } from './settings-values.js';

/** The key of the copy. `shared/ui/first-paint.js` reads it, and signing out removes it. */
const STORAGE_KEY = 'reading-settings';

/** A slider changes many times a second; changes are saved once they have stopped for this long. */
const SAVE_DELAY_MS = 500;

const PATH = 'user_settings?on_conflict=user_id';
const HEADERS = { Prefer: 'resolution=merge-duplicates,return=minimal' };

export class SettingsStore {
  #onChange;
  #timer = null;
  /** The last request that saves. */
  #saving = Promise.resolve();
  #isSaved = true;
  #refreshes = 0;
  /** What the user has changed since the settings were last fetched. */
  #changed = {};

  /** @type {import('./settings-values.js').ReadingSettings} */
  settings = validSettings(null);

  /** @param {(settings: import('./settings-values.js').ReadingSettings) => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** Takes over the copy of this browser, then the settings of the server. */
  async load() {
    const copy = JSON.parse(localStorage.getItem(STORAGE_KEY));
    // The session may have ended while this module was loaded.
    if (copy && copy.user === currentSession()?.user) {
      this.#isSaved = copy.isSaved;
      this.settings = validSettings(copy);
    }
    this.#onChange(this.settings);
    await this.refresh();
  }

  /** Fetches the settings of the server, unless changes of this browser wait to be saved: then saves these. */
  async refresh() {
    if (!this.#isSaved) {
      this.#saveNext();
      return;
    }
    this.#refreshes += 1;
    const number = this.#refreshes;
    this.#changed = {};
    const [row] = await restRequest('user_settings').catch(() => []);
    // An answer that arrives later may be older.
    if (!row || number !== this.#refreshes) return;
    if (Object.keys(this.#changed).length) {
      // What the user has changed while the response was on its way is newer. Saving it may have saved other settings as
      // this browser knew them before.
      this.change({ ...syncedSettings(row), ...this.#changed });
      return;
    }
    this.settings = validSettings({ ...this.settings, ...syncedSettings(row) });
    this.#keepCopy();
    this.#onChange(this.settings);
  }

  /**
   * Changes settings. The change applies at once and is saved soon.
   * @param {Partial<import('./settings-values.js').ReadingSettings>} changes
   */
  change(changes) {
    this.#changed = { ...this.#changed, ...changes };
    this.settings = validSettings({ ...this.settings, ...changes });
    this.#isSaved = false;
    this.#keepCopy();
    this.#onChange(this.settings);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#saveNext(), SAVE_DELAY_MS);
  }

  /** Saves changes that wait for it, or that are being sent; to be called when the page is being left. */
  saveOnLeave() {
    const token = currentSession()?.access;
    if (this.#isSaved || !token) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    const body = syncedSettings(this.settings);
    const options = { method: 'POST', body, token, keepalive: true, headers: HEADERS };
    // The copy still says that the change is not saved, so a failure here is repaired at the next visit.
    request(`/rest/v1/${PATH}`, options).catch(() => {});
  }

  // After the request before, so that the last change is stored last.
  #saveNext() {
    this.#saving = this.#saving.then(() => this.#save());
  }

  async #save() {
    this.#timer = null;
    const saved = this.settings;
    try {
      await restRequest(PATH, { method: 'POST', body: syncedSettings(saved), headers: HEADERS });
    } catch {
      // The copy has the change; it is saved at the next visit.
      return;
    }
    if (saved !== this.settings) return;
    this.#isSaved = true;
    this.#keepCopy();
  }

  #keepCopy() {
    const user = currentSession()?.user;
    if (!user) return;
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...this.settings, user, isSaved: this.#isSaved }));
  }
}
