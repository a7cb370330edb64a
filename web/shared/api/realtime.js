// Tells of changes of the user's rows, made on any device, over a WebSocket. The server speaks the protocol
// of Phoenix channels as Supabase does; a frame is [join ref, ref, topic, event, payload].

import { fetchAnonKey } from './client.js';
import { serverURL } from './server.js';
import { currentSession, freshToken } from './session.js';

const HEARTBEAT_MS = 25_000;

/** The pauses before the next attempts to connect. The last one repeats. */
const PAUSES_MS = [500, 1_000, 2_000, 5_000, 15_000];

/**
 * A change of one row.
 * @typedef {object} Change
 * @property {string} table
 * @property {'INSERT' | 'UPDATE' | 'DELETE'} type
 * @property {object} [record] the whole row, unless it was deleted
 * @property {object} [old_record] the primary key, unless the row is new
 */

export class ChangeSubscription {
  #tables;
  #onChange;
  #onMissed;
  #socket;
  #topic;
  #lastRef = 0;
  /** The access token that the server has. */
  #token;
  #failures = 0;
  /** Whether there is a connection, or one is being made. */
  #isActive = false;
  /** Whether changes may have been missed, as between the load of the page and the first connection. */
  #hasGap = true;
  #isBeatAnswered = true;
  #timer;

  /**
   * @param {string[]} tables
   * @param {object} callbacks
   * @param {(change: Change) => void} callbacks.onChange
   * @param {() => void} callbacks.onMissed called when changes arrive again after they may have been missed
   */
  constructor(tables, { onChange, onMissed }) {
    this.#tables = tables;
    this.#topic = `realtime:${tables[0]}`;
    this.#onChange = onChange;
    this.#onMissed = onMissed;
  }

  /** Subscribes for as long as the user is signed in. Connects again whenever the connection is lost. */
  start() {
    addEventListener('online', () => this.#check());
    // Timers of hidden pages run late, so the token may have expired while the page was hidden.
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#check();
    });
    this.#connect();
  }

  /** Connects without a pause, or finds out whether the connection still works. */
  #check() {
    if (!this.#isActive) this.#connectAfter(0);
    else if (this.#isOpen && this.#isBeatAnswered) this.#beat();
  }

  get #isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #connectAfter(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), pause);
  }

  async #connect() {
    // Without a network, `online` starts the next attempt.
    if (this.#isActive || !currentSession() || !navigator.onLine) return;
    this.#isActive = true;
    try {
      this.#token = await freshToken();
      this.#open(await fetchAnonKey());
    } catch {
      this.#retry();
    }
  }

  #open(anonKey) {
    const query = `vsn=2.0.0&apikey=${encodeURIComponent(anonKey)}`;
    const url = new URL(serverURL(`/realtime/v1/websocket?${query}`), location);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    this.#socket = new WebSocket(url);
    this.#socket.onopen = () => this.#join();
    this.#socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    this.#socket.onclose = () => this.#retry();
  }

  #retry() {
    this.#isActive = false;
    this.#hasGap = true;
    this.#connectAfter(PAUSES_MS[Math.min(this.#failures, PAUSES_MS.length - 1)]);
    this.#failures += 1;
  }

  #send(topic, event, payload) {
    this.#lastRef += 1;
    this.#socket.send(JSON.stringify(['1', String(this.#lastRef), topic, event, payload]));
  }

  #join() {
    this.#isBeatAnswered = true;
    this.#send(this.#topic, 'phx_join', {
      config: { postgres_changes: this.#tables.map((table) => ({ event: '*', schema: 'public', table })) },
      access_token: this.#token,
    });
    this.#beatLater();
  }

  #receive([, , topic, event, payload]) {
    if (topic === 'phoenix') this.#isBeatAnswered = true;
    else if (event === 'postgres_changes') this.#onChange(payload.data);
    else if (event === 'system' && payload.status === 'ok') this.#becomeLive();
    else if (event === 'phx_close' || payload.status === 'error') this.#socket.close();
  }

  #becomeLive() {
    this.#failures = 0;
    if (!this.#hasGap) return;
    this.#hasGap = false;
    this.#onMissed();
  }

  #beatLater() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#beat(), HEARTBEAT_MS);
  }

  async #beat() {
    if (!this.#isOpen) return;
    if (!this.#isBeatAnswered || !currentSession()) {
      this.#socket.close();
      return;
    }
    this.#isBeatAnswered = false;
    this.#send('phoenix', 'heartbeat', {});
    this.#beatLater();
    const wasExpired = Date.now() >= currentSession().until;
    const token = await freshToken().catch(() => this.#token);
    if (token === this.#token || !this.#isOpen) return;
    this.#token = token;
    this.#send(this.#topic, 'access_token', { access_token: token });
    // The server sends nothing while a token is expired.
    if (wasExpired) this.#onMissed();
  }
}
