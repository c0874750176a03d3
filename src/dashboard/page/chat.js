// The chat: what was said and done, in order, and the place where one writes.
import { h } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { getJson } from './api.js';
import { ChatLine } from './chat-line.js';
import { Message } from './chat-message.js';
import { RunSteps, useRuns } from './chat-steps.js';
import { Composer } from './composer.js';
import { useFollowedEnd, useShared } from './hooks.js';
import { Icon } from './icons.js';
import { Badge, Confirm, Loading } from './parts.js';

const CHAT = 'main';

export function Chat() {
  const { toast } = useShared();
  const [, again] = useState(0);
  const line = useMemo(() => new ChatLine(CHAT, () => again(count => count + 1)), []);
  useEffect(() => () => line.close(), [line]);
  const runs = useRuns(CHAT);
  const isRunning = runs.some(({ isOver }) => !isOver) || line.isTyping();
  const said = line.said();
  const say = async (text, files) => {
    try {
      await line.say(text, files);
      return true;
    } catch (error) {
      toast(String(error), 'bad');
      return false;
    }
  };
  const press = async (id, data) => {
    const answer = await line.press(id, data);
    if (answer) toast(answer);
  };
  return h(
    'div',
    { class: 'chat-view' },
    h(ChatHead, {
      isRunning,
      beat: beatOf(runs),
      onSay: text => say(text, []),
    }),
    h(Transcript, {
      said,
      runs,
      isRunning,
      press,
      isLoading: line.state() === 'connecting',
      onSay: text => say(text, []),
    }),
    h(Composer, { onSend: say, commands: line.commands(), isRunning, onStop: () => say('/stop', []) }),
  );
}

/** Another number after every step that may have made another sandbox. @param {readonly import('./chat-steps.js').Run[]} runs */
function beatOf(runs) {
  const steps = runs.flatMap(({ steps: all }) => all);
  return (
    runs.length +
    steps.filter(({ output }) => output !== '').length +
    steps.filter(({ state }) => state !== 'running').length
  );
}

/** @param {{ isRunning: boolean, beat: number, onSay: (text: string) => void }} props */
function ChatHead({ isRunning, beat, onSay }) {
  const [isAsked, setAsked] = useState(false);
  return h(
    'div',
    { class: 'chat-head' },
    h('h1', null, 'Chat'),
    h(Place, { beat }),
    h('span', { class: 'grow' }),
    isRunning && h('span', { class: 'dim', role: 'status' }, h('span', { class: 'spinner' }), ' working'),
    h(
      'button',
      {
        type: 'button',
        onClick: () => setAsked(true),
        title: 'The next one has a sandbox of its own, without these files',
      },
      'New conversation',
    ),
    isAsked &&
      h(Confirm, {
        title: 'Start a new conversation?',
        text: 'The agent forgets this one, and with the next message gets a new sandbox without its files. The old sandbox is kept until it is cleaned up.',
        yes: 'Start anew',
        onYes: () => onSay('/new'),
        onClose: () => setAsked(false),
      }),
  );
}

/** Which sandbox this is; asked again with every beat. @param {{ beat: number }} props */
function Place({ beat }) {
  const { me } = useShared();
  const [place, setPlace] = useState(/** @type {any} */ (undefined));
  const [problem, setProblem] = useState('');
  useEffect(() => {
    getJson(`/api/place?chat=${CHAT}`).then(setPlace, error => setProblem(String(error)));
  }, [beat]);
  if (problem) return h('span', { class: 'dim' }, problem);
  if (!place) return null;
  if (place.refusal) return h('span', { class: 'badge bad' }, place.refusal.reason);
  const { backend, network, sandbox, exposures } = place;
  const isOwner = me.standing === 'owner';
  const words = `${backend.value ?? 'auto'} · network ${network.value ?? 'as decided'}`;
  return h(
    'div',
    { class: 'place' },
    h(Badge, { text: words, tone: exposures?.length ? 'warn' : 'good' }),
    sandbox
      ? isOwner
        ? h('a', { href: `#/sandbox/${sandbox.id}` }, `sandbox ${sandbox.id.slice(0, 6)}, ${sandbox.state}`)
        : h('span', { class: 'dim' }, `sandbox ${sandbox.id.slice(0, 6)}, ${sandbox.state}`)
      : h('span', { class: 'dim' }, 'the sandbox is made with the first command'),
  );
}

/** Words and steps in the order in which they happened. @param {any} props */
function Transcript({ said, runs, isRunning, press, isLoading, onSay }) {
  const { box, follow, hands } = useFollowedEnd();
  useEffect(() => {
    const inner = box.current;
    if (!inner) return undefined;
    const watcher = new ResizeObserver(follow);
    // It shrinks with the keyboard of a phone.
    watcher.observe(inner);
    if (inner.firstElementChild) watcher.observe(inner.firstElementChild);
    follow();
    return () => watcher.disconnect();
  }, []);
  const items = [
    ...said.map(message => ({
      at: message.at,
      // What was written here keeps its place when it comes back.
      key: message.id.replace(/^mine-/, 'you-'),
      view: h(Message, { message, press, isLive: isRunning }),
    })),
    ...runs.map(run => ({ at: run.startedAt, key: run.run, view: h(RunSteps, { run }) })),
  ].sort((a, b) => a.at - b.at);
  return h(
    'div',
    { class: 'transcript', ref: box, ...hands, role: 'log', 'aria-label': 'Conversation', tabIndex: 0 },
    h(
      'div',
      { class: 'column' },
      isLoading && said.length === 0 && h(Loading, { what: 'Opening the chat' }),
      !isLoading && items.length === 0 && h(Welcome, { onSay }),
      items.map(({ key, view }) => h('div', { key, class: 'item' }, view)),
    ),
  );
}

const IDEAS = ['!uname -a', '/status', '/help'];

/** @param {{ onSay: (text: string) => void }} props */
function Welcome({ onSay }) {
  return h(
    'div',
    { class: 'welcome' },
    h('div', { class: 'logo big', 'aria-hidden': 'true' }, 'H'),
    h('h2', null, 'What shall be done?'),
    h(
      'p',
      { class: 'dim' },
      'Commands run in a sandbox of this conversation. Write to the agent, or begin with ! to run a command yourself.',
    ),
    h(
      'div',
      { class: 'ideas' },
      IDEAS.map(text =>
        h(
          'button',
          { key: text, type: 'button', onClick: () => onSay(text) },
          h(Icon, { name: 'tool' }),
          h('code', null, text),
        ),
      ),
    ),
  );
}
