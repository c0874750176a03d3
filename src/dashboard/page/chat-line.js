// The chat over its socket: what was said, what is on its way, and coming back for what was missed.
import { newId, upload } from './api.js';

const SHORTEST_MS = 250;
const LONGEST_MS = 8000;
const TYPING_MS = 7000;

/**
 * @typedef {{ id: string, from: 'agent' | 'you', text: string, at: number, buttons?: { label: string, data: string }[][],
 *   files?: { id: string, name: string, size: number }[], isPending?: boolean, problem?: string }} Said
 */

export class ChatLine {
  /** @type {Map<string, Said>} */
  #said = new Map();
  /** @type {Map<string, { type: 'message', id: string, text: string, files: string[] }>} */
  #unsent = new Map();
  /** @type {Map<string, (text: string) => void>} */
  #presses = new Map();
  /** @type {{ name: string, doc: string }[]} */
  #commands = [];
  /** @type {'connecting' | 'open' | 'lost'} */
  #state = 'connecting';
  /** @type {WebSocket | undefined} */
  #socket;
  /** @type {number | undefined} */
  #after;
  #typingUntil = 0;
  #delay = SHORTEST_MS;
  #isClosed = false;

  /** @param {string} name @param {() => void} onChange */
  constructor(name, onChange) {
    this.name = name;
    this.onChange = onChange;
    this.#connect();
  }

  state() {
    return this.#state;
  }

  commands() {
    return this.#commands;
  }

  isTyping() {
    return this.#typingUntil > Date.now();
  }

  /** Oldest first. @returns {Said[]} */
  said() {
    return [...this.#said.values()].sort((a, b) => a.at - b.at);
  }

  /** @param {string} text @param {readonly File[]} files */
  async say(text, files = []) {
    const uploads = [];
    for (const file of files)
      uploads.push(await upload(`/files?name=${encodeURIComponent(file.name.slice(0, 255))}`, file));
    const id = newId();
    const frame = { type: /** @type {const} */ ('message'), id, text, files: uploads.map(file => file.id) };
    this.#unsent.set(id, frame);
    const own = `mine-${id}`;
    const names = uploads.map(file => ({ ...file, id: '' }));
    this.#said.set(own, { id: own, from: 'you', text, at: Date.now(), isPending: true, files: names });
    this.#send(frame);
    this.onChange();
  }

  /** What became of it, in words. @param {string} messageId @param {string} data @returns {Promise<string>} */
  press(messageId, data) {
    const id = newId();
    return new Promise(resolve => {
      this.#presses.set(id, resolve);
      if (!this.#send({ type: 'button', id, messageId, data }))
        resolve('The gateway is not there now. Try again.');
    });
  }

  close() {
    this.#isClosed = true;
    if (this.#socket) this.#socket.onclose = null;
    this.#socket?.close();
  }

  #connect() {
    if (this.#isClosed) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`);
    this.#socket = socket;
    const seen = this.#after === undefined ? {} : { after: this.#after };
    socket.onopen = () => this.#send({ type: 'hello', version: 1, chat: this.name, ...seen });
    socket.onmessage = ({ data }) => {
      this.#take(JSON.parse(data));
      this.onChange();
    };
    socket.onclose = () => {
      this.#state = 'lost';
      for (const id of this.#presses.keys()) this.#answered(id, 'The connection was lost. Try again.');
      this.onChange();
      setTimeout(() => this.#connect(), this.#delay);
      this.#delay = Math.min(LONGEST_MS, this.#delay * 2);
    };
  }

  /** Whether it was sent. @param {unknown} frame */
  #send(frame) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  /** @param {any} frame */
  #take(frame) {
    if ('seq' in frame) this.#after = Math.max(this.#after ?? 0, frame.seq);
    switch (frame.type) {
      case 'welcome':
        return this.#welcome(frame);
      case 'message':
        return this.#hear(frame);
      case 'delta':
      case 'edit':
        return this.#change(frame);
      case 'typing':
        this.#typingUntil = Date.now() + TYPING_MS;
        return;
      case 'commands':
        this.#commands = frame.commands;
        return;
      case 'ack':
        this.#unsent.delete(frame.id);
        return;
      case 'button-answer':
        return this.#answered(frame.id, frame.text);
      case 'error':
        return this.#refused(frame);
    }
  }

  /** @param {any} frame */
  #welcome({ complete, commands }) {
    if (!complete) this.#said.clear();
    this.#commands = commands;
    this.#state = 'open';
    this.#delay = SHORTEST_MS;
    for (const waiting of this.#unsent.values()) this.#send(waiting);
  }

  /** @param {any} frame */
  #hear(frame) {
    if (frame.from === 'agent') this.#typingUntil = 0;
    // What was written here has the names of its files; the echo of it does not.
    const own = frame.id.startsWith('you-') ? frame.id.replace('you-', 'mine-') : '';
    const files = this.#said.get(own)?.files;
    this.#said.delete(own);
    this.#said.set(frame.id, { ...frame, ...(files ? { files } : {}) });
  }

  /** @param {any} frame */
  #change({ type, id, append, text, buttons }) {
    const known = this.#said.get(id);
    if (type === 'delta') {
      if (known) this.#said.set(id, { ...known, text: known.text + append });
      return;
    }
    const { buttons: _, ...rest } = known ?? { id, from: 'agent', at: Date.now() };
    this.#said.set(id, { ...rest, text, ...(buttons ? { buttons } : {}) });
  }

  /** @param {string} id @param {string} text */
  #answered(id, text) {
    this.#presses.get(id)?.(text);
    this.#presses.delete(id);
  }

  /** @param {{ id?: string, reason: string }} frame */
  #refused({ id, reason }) {
    if (id === undefined) return;
    this.#unsent.delete(id);
    this.#answered(id, reason);
    const mine = this.#said.get(`mine-${id}`);
    if (mine) this.#said.set(mine.id, { ...mine, isPending: false, problem: reason });
  }
}
