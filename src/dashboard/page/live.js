// The live socket: says what the page watches, keeps the newest answer of each topic, and comes back when it is cut off.

const SHORTEST_MS = 250;
const LONGEST_MS = 8000;

/**
 * @typedef {{ data?: any, error?: { code: string, message: string } }} Answer
 * @typedef {'connecting' | 'open' | 'lost'} LineState
 * @typedef {ReturnType<typeof openLive>} Live
 */

export function openLive() {
  /** @type {Map<string, Answer>} */
  const answers = new Map();
  /** @type {Map<string, number>} */
  const watched = new Map();
  /** @type {Set<() => void>} */
  const changed = new Set();
  /** @type {Set<(frame: any) => void>} */
  const frames = new Set();
  /** @type {string | undefined} */
  let chat;
  /** @type {LineState} */
  let state = 'connecting';
  /** @type {WebSocket | undefined} */
  let socket;
  let delay = SHORTEST_MS;
  let isTelling = false;

  const tell = () => {
    for (const each of changed) each();
  };
  const send = frame => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    return socket?.readyState === WebSocket.OPEN;
  };
  // A page that is left and one that is entered are told as one change.
  const watchSoon = () => {
    if (isTelling) return;
    isTelling = true;
    queueMicrotask(() => {
      isTelling = false;
      for (const topic of answers.keys()) if (!watched.has(topic)) answers.delete(topic);
      send({ type: 'watch', topics: [...watched.keys()], ...(chat === undefined ? {} : { chat }) });
    });
  };
  const take = frame => {
    if (frame.type === 'topic') answers.set(frame.topic, { data: frame.data, error: frame.error });
    else if (frame.type === 'usage') answers.set('usage', { data: frame.usage });
    else if (frame.type === 'figures') {
      const before = frame.isWhole ? [] : (answers.get('figures')?.data ?? []);
      answers.set('figures', { data: [...before, ...frame.samples].slice(-720) });
    } else {
      for (const each of frames) each(frame);
      return;
    }
    tell();
  };
  const connect = () => {
    socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/live`);
    socket.onopen = () => {
      state = 'open';
      delay = SHORTEST_MS;
      watchSoon();
      tell();
    };
    socket.onmessage = ({ data }) => take(JSON.parse(data));
    socket.onclose = () => {
      state = 'lost';
      for (const each of frames) each({ type: 'cut-off' });
      tell();
      setTimeout(connect, delay);
      delay = Math.min(LONGEST_MS, delay * 2);
    };
  };
  connect();

  return {
    send,
    state: () => state,
    /** @param {string} topic @returns {Answer | undefined} */
    answer: topic => answers.get(topic),
    /** @param {() => void} listener */
    onChange(listener) {
      changed.add(listener);
      return () => void changed.delete(listener);
    },
    /** @param {(frame: any) => void} listener */
    onFrame(listener) {
      frames.add(listener);
      return () => void frames.delete(listener);
    },
    /** @param {string} topic */
    watch(topic) {
      watched.set(topic, (watched.get(topic) ?? 0) + 1);
      watchSoon();
      return () => {
        const left = (watched.get(topic) ?? 1) - 1;
        if (left > 0) watched.set(topic, left);
        else watched.delete(topic);
        watchSoon();
      };
    },
    /** @param {string | undefined} name */
    watchChat(name) {
      chat = name;
      watchSoon();
    },
  };
}
