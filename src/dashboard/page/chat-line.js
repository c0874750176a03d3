// The chat over its socket: what was said, what is on its way, and coming back for what was missed.
import { upload } from './api.js';

const SHORTEST_MS = 250;
const LONGEST_MS = 8000;
const TYPING_MS = 7000;

/**
 * @typedef {{ id: string, from: 'agent' | 'you', text: string, at: number, buttons?: { label: string, data: string }[][],
 *   files?: { id: string, name: string, size: number }[], isPending?: boolean, problem?: string }} Said
 * @typedef {ReturnType<typeof openChat>} ChatLine
 */

/** @param {string} name @param {() => void} onChange */
export function openChat(name, onChange) {
  /** @type {Map<string, Said>} */
  const said = new Map();
  /** @type {Map<string, { type: 'message', id: string, text: string, files: string[] }>} */
  const unsent = new Map();
  let [after, typingUntil, delay, isClosed] = [
    /** @type {number | undefined} */ (undefined),
    0,
    SHORTEST_MS,
    false,
  ];
  /** @type {{ name: string, doc: string }[]} */
  let commands = [];
  /** @type {'connecting' | 'open' | 'lost'} */
  let state = 'connecting';
  /** @type {WebSocket | undefined} */
  let socket;
  /** @type {Map<string, (text: string) => void>} */
  const presses = new Map();
  const send = frame => {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(frame));
    return true;
  };

  const take = frame => {
    if ('seq' in frame) after = Math.max(after ?? 0, frame.seq);
    const known = 'id' in frame ? said.get(frame.id) : undefined;
    switch (frame.type) {
      case 'welcome':
        if (!frame.complete) said.clear();
        commands = frame.commands;
        state = 'open';
        delay = SHORTEST_MS;
        for (const waiting of unsent.values()) send(waiting);
        break;
      case 'message':
        typingUntil = frame.from === 'agent' ? 0 : typingUntil;
        said.set(frame.id, { ...frame, ...filesOf(frame.id) });
        said.delete(mineOf(frame.id));
        break;
      case 'delta':
        if (known) said.set(frame.id, { ...known, text: known.text + frame.append });
        break;
      case 'edit': {
        const { buttons: _, ...rest } = known ?? { id: frame.id, from: 'agent', at: Date.now() };
        said.set(frame.id, {
          ...rest,
          text: frame.text,
          ...(frame.buttons ? { buttons: frame.buttons } : {}),
        });
        break;
      }
      case 'typing':
        typingUntil = Date.now() + TYPING_MS;
        break;
      case 'commands':
        commands = frame.commands;
        break;
      case 'ack':
        unsent.delete(frame.id);
        break;
      case 'button-answer':
        presses.get(frame.id)?.(frame.text);
        presses.delete(frame.id);
        break;
      case 'error':
        refused(frame);
        break;
    }
    onChange();
  };
  // What was written here has the names of its files; the echo of it does not.
  const filesOf = id => {
    const files = said.get(mineOf(id))?.files;
    return files ? { files } : {};
  };
  const refused = ({ id, reason }) => {
    if (id === undefined) return;
    unsent.delete(id);
    presses.get(id)?.(reason);
    presses.delete(id);
    const mine = said.get(`mine-${id}`);
    if (mine) said.set(mine.id, { ...mine, isPending: false, problem: reason });
  };
  const connect = () => {
    if (isClosed) return;
    socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`);
    socket.onopen = () =>
      send({ type: 'hello', version: 1, chat: name, ...(after === undefined ? {} : { after }) });
    socket.onmessage = ({ data }) => take(JSON.parse(data));
    socket.onclose = () => {
      state = 'lost';
      onChange();
      setTimeout(connect, delay);
      delay = Math.min(LONGEST_MS, delay * 2);
    };
  };
  connect();

  return {
    state: () => state,
    commands: () => commands,
    isTyping: () => typingUntil > Date.now(),
    /** Oldest first. @returns {Said[]} */
    said: () => [...said.values()].sort((a, b) => a.at - b.at),
    /** @param {string} text @param {readonly File[]} files */
    async say(text, files = []) {
      const uploads = [];
      for (const file of files)
        uploads.push(await upload(`/files?name=${encodeURIComponent(file.name.slice(0, 255))}`, file));
      const id = crypto.randomUUID();
      const frame = { type: /** @type {const} */ ('message'), id, text, files: uploads.map(file => file.id) };
      unsent.set(id, frame);
      const names = uploads.map(file => ({ ...file, id: '' }));
      said.set(`mine-${id}`, {
        id: `mine-${id}`,
        from: 'you',
        text,
        at: Date.now(),
        isPending: true,
        files: names,
      });
      send(frame);
      onChange();
    },
    /** @param {string} messageId @param {string} data @returns {Promise<string>} */
    press(messageId, data) {
      const id = crypto.randomUUID();
      return new Promise(resolve => {
        presses.set(id, resolve);
        if (!send({ type: 'button', id, messageId, data }))
          resolve('The gateway is not there now. Try again.');
      });
    },
    close() {
      isClosed = true;
      if (socket) socket.onclose = null;
      socket?.close();
    },
  };
}

/** How this page calls its own words until they are acknowledged. @param {string} id */
function mineOf(id) {
  return id.startsWith('you-') ? id.replace('you-', 'mine-') : '';
}
