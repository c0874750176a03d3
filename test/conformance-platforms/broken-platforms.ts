// Platforms that are broken on purpose, each in one way that real ones have been: the suite must tell exactly which
// requirements each of them fails.
import { randomUUID } from 'node:crypto';
import type { Connection, ConnectOptions, Platform } from '../../src/platforms/platform.ts';
import type { families, RequirementId } from './requirements.ts';

export interface BrokenPlatform {
  /** Ends the sentence "a platform that …". */
  readonly name: string;
  /** Spoils a platform that works. */
  spoil(platform: Platform): Platform;
  /** The families that are run against it, and what fails of them. */
  readonly families: readonly (keyof typeof families)[];
  readonly fails: readonly RequirementId[];
}

type Receive = ConnectOptions['receive'];

/** The same platform with every connection changed. */
function withConnection(change: (connection: Connection) => Partial<Connection>): BrokenPlatform['spoil'] {
  return platform => ({
    ...platform,
    connect: async options => {
      const connection = await platform.connect(options);
      return { ...connection, ...change(connection) };
    },
  });
}

/** The same with events changed on their way. */
function withReceive(change: (receive: Receive) => Receive): BrokenPlatform['spoil'] {
  return platform => ({
    ...platform,
    connect: options => platform.connect({ ...options, receive: change(options.receive) }),
  });
}

export const brokenPlatforms: readonly BrokenPlatform[] = [
  {
    name: 'acknowledges before anything is stored',
    spoil: withReceive(receive => async event => {
      receive(event).catch(() => undefined);
    }),
    families: ['ids', 'events'],
    fails: ['events.order', 'events.stored', 'events.refused', 'events.restart'],
  },
  {
    name: 'forgets the thread',
    spoil: withConnection(({ send }) => ({
      send: ({ id, kind }, message) => send({ id, kind }, message),
    })),
    families: ['ids'],
    fails: ['ids.thread'],
  },
  {
    name: 'gives a new id to everything',
    spoil: withReceive(receive => event => receive({ ...event, id: randomUUID() })),
    families: ['events'],
    fails: ['events.repeat'],
  },
  {
    name: 'hears everything in a group',
    spoil: withReceive(
      receive => event => receive(event.kind === 'message' ? { ...event, isAddressed: true } : event),
    ),
    families: ['events'],
    fails: ['events.addressed'],
  },
  {
    name: 'shows at once that it is typing',
    spoil: platform => ({
      ...platform,
      async connect(options) {
        const connection = Promise.withResolvers<Connection>();
        const receive: Receive = async event => {
          await (await connection.promise).typing?.(event.chat);
          await options.receive(event);
        };
        connection.resolve(await platform.connect({ ...options, receive }));
        return connection.promise;
      },
    }),
    families: ['events'],
    fails: ['events.quiet'],
  },
  {
    name: 'cuts long texts off',
    spoil: withConnection(({ send }) => ({
      send: (chat, message) => send(chat, { ...message, text: message.text.slice(0, 4096) }),
    })),
    families: ['text'],
    fails: ['text.split', 'text.fences', 'text.resumed', 'text.marked'],
  },
  {
    name: 'forgets to mark a repeat',
    spoil: withConnection(({ send }) => ({
      send: (chat, { mark: _, ...message }) => send(chat, message),
    })),
    families: ['text'],
    fails: ['text.marked'],
  },
  {
    name: 'starts a long text from the beginning',
    spoil: withConnection(({ send }) => ({
      send: (chat, { sentIds: _, ...message }) => send(chat, message),
    })),
    families: ['text'],
    fails: ['text.resumed'],
  },
  {
    name: 'takes failures for success',
    spoil: withConnection(({ send }) => ({
      send: (chat, message) => send(chat, message).catch(() => ({ ids: [] })),
    })),
    families: ['text', 'buttons', 'failures'],
    fails: [
      'text.resumed',
      'text.blank',
      'buttons.largest',
      'failures.limited',
      'failures.server',
      'failures.blocked',
      'failures.reconnect',
    ],
  },
  {
    name: 'has no buttons',
    spoil: withConnection(({ send }) => ({
      send: (chat, { text }) => send(chat, { text }),
    })),
    families: ['buttons'],
    fails: ['buttons.round-trip', 'buttons.largest'],
  },
  {
    name: 'loses captions',
    spoil: withConnection(({ sendFile }) => ({
      sendFile: (chat, { name, bytes }) => sendFile(chat, { name, bytes }),
    })),
    families: ['files'],
    fails: ['files.out'],
  },
  {
    name: 'never says that it is offline',
    spoil: platform => ({
      ...platform,
      connect: options =>
        platform.connect({
          ...options,
          onState: state => (state.kind === 'connected' ? options.onState(state) : undefined),
        }),
    }),
    families: ['failures'],
    fails: [
      'failures.reconnect',
      'failures.back-off',
      'failures.competitor',
      'failures.revoked',
      'failures.secret',
    ],
  },
  {
    name: 'goes on after a pause',
    spoil: withConnection(() => ({ pause: async () => undefined })),
    families: ['life'],
    fails: ['life.pause'],
  },
];
