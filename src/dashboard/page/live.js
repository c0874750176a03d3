// The live socket: says what the page watches, keeps the newest answer of each topic, and comes back when it is cut off.

const SHORTEST_MS = 250;
const LONGEST_MS = 8000;
const MOST_SAMPLES = 720;

/**
 * @typedef {{ data?: any, error?: { code: string, message: string } }} Answer
 * @typedef {'connecting' | 'open' | 'lost'} LineState
 */

export class Live {
  /** @type {Map<string, Answer>} */
  #answers = new Map();
  /** @type {Map<string, number>} */
  #watched = new Map();
  /** @type {Set<() => void>} */
  #changed = new Set();
  /** @type {Set<(frame: any) => void>} */
  #frames = new Set();
  /** @type {string | undefined} */
  #chat;
  /** @type {LineState} */
  #state = 'connecting';
  /** @type {WebSocket | undefined} */
  #socket;
  #delay = SHORTEST_MS;
  #isTelling = false;

  /** @param {() => void} onLost */
  constructor(onLost) {
    this.onLost = onLost;
    this.#connect();
  }

  state() {
    return this.#state;
  }

  /** Whether it was sent. @param {unknown} frame */
  send(frame) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  /** @param {string} topic @returns {Answer | undefined} */
  answer(topic) {
    return this.#answers.get(topic);
  }

  /** @param {() => void} listener */
  onChange(listener) {
    this.#changed.add(listener);
    return () => void this.#changed.delete(listener);
  }

  /** What is no answer of a topic. @param {(frame: any) => void} listener */
  onFrame(listener) {
    this.#frames.add(listener);
    return () => void this.#frames.delete(listener);
  }

  /** @param {string} topic */
  watch(topic) {
    this.#watched.set(topic, (this.#watched.get(topic) ?? 0) + 1);
    this.#watchSoon();
    return () => {
      const left = (this.#watched.get(topic) ?? 1) - 1;
      if (left > 0) this.#watched.set(topic, left);
      else this.#watched.delete(topic);
      this.#watchSoon();
    };
  }

  /** @param {string | undefined} name */
  watchChat(name) {
    this.#chat = name;
    this.#watchSoon();
  }

  #connect() {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/live`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#state = 'open';
      this.#delay = SHORTEST_MS;
      this.#watchSoon();
      this.#tell();
    };
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = () => {
      this.#state = 'lost';
      for (const each of this.#frames) each({ type: 'cut-off' });
      this.#tell();
      this.onLost();
      setTimeout(() => this.#connect(), this.#delay);
      this.#delay = Math.min(LONGEST_MS, this.#delay * 2);
    };
  }

  /** A page that is left and one that is entered are told as one change. */
  #watchSoon() {
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      for (const topic of this.#answers.keys()) if (!this.#watched.has(topic)) this.#answers.delete(topic);
      const chat = this.#chat === undefined ? {} : { chat: this.#chat };
      this.send({ type: 'watch', topics: [...this.#watched.keys()], ...chat });
    });
  }

  /** @param {any} frame */
  #take(frame) {
    if (frame.type === 'topic') this.#answers.set(frame.topic, { data: frame.data, error: frame.error });
    else if (frame.type === 'usage') this.#answers.set('usage', { data: frame.usage });
    else if (frame.type === 'figures') {
      const before = frame.isWhole ? [] : (this.#answers.get('figures')?.data ?? []);
      this.#answers.set('figures', { data: [...before, ...frame.samples].slice(-MOST_SAMPLES) });
    } else {
      for (const each of this.#frames) each(frame);
      return;
    }
    this.#tell();
  }

  #tell() {
    for (const each of this.#changed) each();
  }
}
