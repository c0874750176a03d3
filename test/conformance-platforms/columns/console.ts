// The column of the console platform: JSON lines over a pair of streams.
import { PassThrough } from 'node:stream';
import { createConsole } from '../../../src/platforms/console/index.ts';
import type { Column, Peer, Place } from '../column.ts';
import { Board } from './board.ts';

const MIB = 1024 * 1024;
const PLACES = {
  private: { chat: 'ada', kind: 'private', sender: '1', name: 'Ada' },
  other: { chat: 'bob', kind: 'private', sender: '2', name: 'Bob' },
  group: { chat: 'team', kind: 'group', sender: '1', name: 'Ada' },
  thread: { chat: 'team', kind: 'group', thread: 't1', sender: '1', name: 'Ada' },
} as const;

export const column: Column = {
  name: 'console',
  capabilities: {
    maxText: 32_768,
    edits: true,
    editEveryMs: 100,
    buttons: true,
    maxButtonData: 256,
    typing: true,
    groups: true,
    threads: true,
    maxFileIn: MIB,
    maxFileOut: 50 * MIB,
    isPublic: false,
  },
  powers: [
    ...['otherSays', 'sayAs', 'editLast', 'repeatLast', 'press', 'whenNotice'],
    ...['whenTyping', 'whenMenu', 'push'],
  ] as Column['powers'],
  async open() {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const board = new Board();
    listen(output, board);
    return {
      create: context => createConsole({ mode: 'json', streams: () => ({ input, output }) }, context),
      secrets: [],
      peer: peerOf(input, board),
      async close() {
        input.destroy();
        output.destroy();
      },
    };
  },
};

function listen(output: PassThrough, board: Board): void {
  let pending = '';
  output.setEncoding('utf8').on('data', piece => {
    const lines = `${pending}${piece}`.split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) show(JSON.parse(line), board);
  });
}

interface Frame {
  readonly type: string;
  readonly id: string;
  readonly chat?: string;
  readonly thread?: string;
  readonly text?: string;
  readonly caption?: string;
  readonly name?: string;
  readonly base64?: string;
  readonly buttons?: readonly (readonly { label: string; data: string }[])[];
  readonly commands?: readonly { name: string }[];
}

function show({ type, id, text = '', caption = '', buttons = [], ...frame }: Frame, board: Board): void {
  const place = placeOf(frame);
  const file = { name: frame.name ?? '', bytes: Buffer.from(frame.base64 ?? '', 'base64') };
  const frames: Record<string, () => void> = {
    message: () => board.add(place, { id, text, buttons: buttons.flat() }),
    file: () => board.add(place, { id, text: caption, buttons: [], file }),
    edit: () => board.change(place, id, () => ({ text, buttons: buttons.flat() })),
    'button-answer': () => board.sign(`notice ${text}`),
    typing: () => board.sign(`typing ${place}`),
    commands: () => {
      for (const { name } of frame.commands ?? []) board.sign(`menu ${name}`);
    },
  };
  frames[type]?.();
}

function placeOf({ chat, thread }: Pick<Frame, 'chat' | 'thread'>): Place {
  if (chat === PLACES.group.chat) return thread === undefined ? 'group' : 'thread';
  return chat === PLACES.other.chat ? 'other' : 'private';
}

function peerOf(input: PassThrough, board: Board): Peer {
  let last: object = {};
  let count = 0;
  const put = (line: object): void => {
    // After a pause nobody reads; a real pipe would be broken.
    if (!input.destroyed) input.write(`${JSON.stringify(line)}\n`);
  };
  const say = (line: object): void => {
    last = { type: 'message', id: `m${++count}`, ...line };
    put(last);
  };
  return {
    async say({ text, place = 'private', file, isForBot }) {
      const files = file ? [{ name: file.name, base64: Buffer.from(file.bytes).toString('base64') }] : [];
      say({ ...PLACES[place], text, files, addressed: isForBot !== 'no' });
    },
    seen: place => board.seen(place),
    whenSeen: (holds, place) => board.whenSeen(holds, place),
    otherSays: async text => say({ ...PLACES.other, text }),
    sayAs: async (_who, text) => put({ type: 'message', ...PLACES.private, text, bot: true }),
    editLast: async text => put({ ...last, text, edited: true }),
    repeatLast: async () => put(last),
    press: async ({ id }, data) =>
      put({ type: 'button', id: `b${++count}`, ...PLACES.private, messageId: id, data }),
    whenNotice: text => board.whenSign(`notice ${text}`),
    whenTyping: place => board.whenSign(`typing ${place}`),
    whenMenu: command => board.whenSign(`menu ${command}`),
    push: payload => put(payload as object), // whatever it is, it becomes a line
  };
}
