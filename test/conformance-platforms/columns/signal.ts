// The column of the signal platform, against our double of a signal-cli daemon: real HTTP, JSON-RPC and server-sent events.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config/load.ts';
import type { Button, Platform } from '../../../src/platforms/platform.ts';
import { createPlatform } from '../../../src/platforms/signal/index.ts';
import { section } from '../../../src/platforms/signal/settings.ts';
import { type SignalDouble, startSignal } from '../../doubles/signal-server.ts';
import type { Column, Peer, Place, Seen } from '../column.ts';

const MIB = 1024 * 1024;
const PERSON = { uuid: 'a0a0a0a0-0000-4000-8000-000000000001', number: '+4915100000042', name: 'Ada' };
/** Shows no number to anybody. */
const OTHER = { uuid: 'b0b0b0b0-0000-4000-8000-000000000002', name: 'Bob' };
const GROUP = 'Pmpi+EfPWmsxiomLe9Nx2XF9HOE483p6iKiFj65iMwI=';
const CHATS: Readonly<Record<Place, string>> = {
  private: PERSON.uuid,
  other: OTHER.uuid,
  group: GROUP,
  thread: '',
};
const LEGEND = /\n*React to answer: (.*)$/;

export const column: Column = {
  name: 'signal',
  capabilities: {
    maxText: 8000,
    edits: false,
    editEveryMs: 0,
    buttons: true,
    maxButtonData: 256,
    typing: true,
    groups: true,
    threads: false,
    maxFileIn: 100 * MIB,
    maxFileOut: 100 * MIB,
    isPublic: true,
  },
  powers: [
    'otherSays',
    'sayAs',
    'editLast',
    'repeatLast',
    'press',
    'whenNotice',
    'whenTyping',
    'fetched',
    'unacknowledged',
    'limitOnce',
    'refuseFormattingOnce',
    'failOnce',
    'blockOnce',
    'cut',
    'restore',
    'revoke',
    'push',
  ],
  async open() {
    const home = await mkdtemp(join(tmpdir(), 'signal-'));
    const signal = await startSignal();
    const environment = {
      SIGNAL_HTTP_URL: signal.url,
      SIGNAL_ACCOUNT: signal.account.number,
      SIGNAL_ALLOWED_GROUPS: GROUP,
    };
    const config = await loadConfig({
      sections: [section],
      environment: { ...environment, HERMES_HOME: '/nonexistent' },
      flags: {},
    });
    const buttons = new Map<string, readonly Button[]>();
    return {
      create(context) {
        const platform = createPlatform(config, { ...context, home });
        if (!platform) throw new Error('it is set up, and there is none');
        return noting(platform, buttons);
      },
      environment,
      secrets: [],
      peer: peerOf(signal, home, buttons),
      async close() {
        await signal.close();
        await rm(home, { recursive: true });
      },
    };
  },
};

/** What a reaction stands for is never on the wire, so the other side has to be told. */
function noting(platform: Platform, buttons: Map<string, readonly Button[]>): Platform {
  return {
    ...platform,
    async connect(options) {
      const connection = await platform.connect(options);
      return {
        ...connection,
        async send(chat, message) {
          const sent = await connection.send(chat, message);
          buttons.set(sent.ids.at(-1) ?? '', message.buttons?.flat() ?? []);
          return sent;
        },
      };
    },
  };
}

function peerOf(signal: SignalDouble, home: string, buttons: ReadonlyMap<string, readonly Button[]>): Peer {
  const marksIn = (text: string): readonly { emoji: string; label: string }[] =>
    (LEGEND.exec(text)?.[1]?.split(' · ') ?? []).map(mark => {
      const [emoji = '', ...label] = mark.split(' ');
      return { emoji, label: label.join(' ') };
    });
  const seen = (place: Place = 'private'): readonly Seen[] =>
    signal.sent
      .filter(({ chat }) => chat === CHATS[place])
      .map(({ id, text, file }) => ({
        id,
        text: text.replace(LEGEND, ''),
        // In another process nobody tells what it stands for; then it is itself.
        buttons: marksIn(text).map(({ emoji, label }, at) => ({
          label,
          data: buttons.get(id)?.[at]?.data ?? emoji,
        })),
        ...(file ? { file } : {}),
      }));
  let last = 0;
  return {
    async say({ text, place = 'private', file, isForBot }) {
      const group = place === 'group' ? { group: GROUP } : {};
      const mentions = place === 'group' && isForBot !== 'no' ? { mentions: [signal.account] } : {};
      last = signal.say(PERSON, text, { ...group, ...mentions, ...(file ? { file } : {}) });
    },
    seen,
    whenSeen: async (holds, place) => {
      await signal.whenSent(() => seen(place).some(holds));
      // It was there a moment ago, and nothing is ever taken away.
      return seen(place).find(holds) as Seen;
    },
    otherSays: async text => void signal.say(OTHER, text),
    // There are no bots on Signal; what another program says with our account comes as ours from another device.
    async sayAs(who, text) {
      signal.sayElsewhere(text, who === 'bot' ? OTHER : PERSON);
    },
    editLast: async text => void signal.say(PERSON, text, { edits: last }),
    repeatLast: async () => signal.repeatLast(),
    async press({ id, buttons: pressed }, data) {
      const at = pressed.findIndex(button => button.data === data);
      const text = signal.sent.find(message => message.id === id)?.text ?? '';
      signal.react(PERSON, id, { emoji: marksIn(text)[at]?.emoji ?? '' });
    },
    whenNotice: async text => void (await signal.whenSent(message => message.text === text)),
    whenTyping: async place => {
      await signal.whenCalled('sendTyping', ({ params: { recipient, groupId } }) =>
        [recipient, groupId].flat().includes(CHATS[place]),
      );
    },
    fetched: () => signal.calls.filter(({ method }) => method === 'getAttachment').length,
    unacknowledged: () => signal.after(lastEventIn(home)),
    limitOnce: seconds => signal.fault('send', { retryAfterSeconds: seconds }),
    refuseFormattingOnce: () => signal.fault('send', 'bad-style'),
    failOnce: () => signal.fault('send', 'server-error'),
    blockOnce: () => signal.fault('send', 'blocked'),
    cut: () => signal.cut(),
    restore: () => signal.restore(),
    revoke: () => signal.revoke(),
    push: payload => signal.push(payload),
  };
}

/** The event up to which a new connection would ask the daemon for nothing. */
function lastEventIn(home: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(home, 'signal', 'last-event.json'), 'utf8')) as string; // as the platform wrote it
  } catch {
    return undefined;
  }
}
