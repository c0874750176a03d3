// The door of a gateway with a real store, and a platform at which messages can be sent and read.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { Admission } from '../../../src/gateway/admission.ts';
import type { PlatformPeople } from '../../../src/gateway/people-rules.ts';
import type { Chat, OutgoingText, PlatformEvent } from '../../../src/platforms/platform.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { type ManualClock, manualClock } from '../../fixtures/manual-clock.ts';

export type Message = Extract<PlatformEvent, { kind: 'message' }>;

export interface Said {
  readonly platform: string;
  readonly chat: Chat;
  readonly text: string;
}

export interface FrontDoor {
  readonly home: string;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly admission: Admission;
  /** Everything that was sent into chats. */
  readonly said: Said[];
  readonly cards: OutgoingText[];
  /** How cards read after they were answered. */
  readonly edits: string[];
  readonly pressed: string[];
  readonly log: () => string;
  /** Other ids of people, by the one that they write with. */
  readonly aliases: Map<string, readonly string[]>;
  readonly rules: { -readonly [Key in keyof PlatformPeople]: PlatformPeople[Key] };
  readonly approvals: () => number;
  /** What a stranger or a person sends; the answer of the door, and all that was sent meanwhile. */
  readonly admit: (event: PlatformEvent, platform?: string) => ReturnType<Admission['admit']>;
  /** The same state with a new gateway. */
  readonly restart: () => Promise<FrontDoor>;
}

export const message = (userId: string, text: string, over: Partial<Message> = {}): Message => ({
  ...{ kind: 'message', id: `${userId}-${text}`, chat: { id: userId, kind: 'private' } },
  ...{ sender: { id: userId, name: `Name of ${userId}` }, text, files: [], isAddressed: true },
  ...over,
});

export const press = (userId: string, data: string): PlatformEvent => ({
  ...{ kind: 'button', id: `press-${data}`, chat: { id: userId, kind: 'private' } },
  ...{ sender: { id: userId, name: 'x' }, data, messageId: 'card' },
});

/** Called in the body of a group; what it makes is removed after each test. */
export function useFrontDoors(): () => Promise<FrontDoor> {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return async () => {
    const home = await mkdtemp(join(tmpdir(), 'hermes-door-'));
    closers.push(() => rm(home, { recursive: true }));
    return openDoor(home, manualClock(1_800_000_000_000), closers);
  };
}

async function openDoor(
  home: string,
  clock: ManualClock,
  closers: (() => Promise<unknown>)[],
): Promise<FrontDoor> {
  const store = await openStore(home, { clock: { ...systemClock, now: clock.now } });
  closers.push(() => store.close());
  const [said, cards, edits, pressed]: [Said[], OutgoingText[], string[], string[]] = [[], [], [], []];
  const lines: string[] = [];
  let approvals = 0;
  const rules: FrontDoor['rules'] = {
    ...{ allowAll: false, allowAllEverywhere: false, allowed: [], allowedEverywhere: [] },
    strangers: 'pair',
  };
  const aliases: FrontDoor['aliases'] = new Map();
  const admission = new Admission({
    ...{ store, clock, rules: () => rules },
    sameAs: async ({ userId }) => aliases.get(userId) ?? [],
    log: createLog({
      ...{ level: 'debug', redact: line => line, now: clock.now },
      destination: { write: line => void lines.push(line) },
    }),
    owners: {
      async send(card) {
        cards.push(card);
        const address = { platform: 'telegram', chat: { id: '1', kind: 'private' as const } };
        return [{ address, messageId: 'card' }];
      },
      async change(places, { text }) {
        edits.push(text);
        return places;
      },
    },
    onApproved: () => void approvals++,
  });
  const admit: FrontDoor['admit'] = async (event, platform = 'telegram') => {
    const admitted = await admission.admit(event, {
      platform,
      connection: {
        async send(chat, { text }) {
          said.push({ platform, chat, text });
          return { ids: ['1'] };
        },
        edit: async (_chat, _id, { text }) => void edits.push(text),
        answerButton: async (_id, text) => void pressed.push(text),
      },
    });
    await admission.settle();
    return admitted;
  };
  return {
    ...{ home, store, clock, admission, said, cards, edits, pressed, rules, admit, aliases },
    log: () => lines.join(''),
    approvals: () => approvals,
    restart: () => openDoor(home, clock, closers),
  };
}

/** The code of a reply. */
export function codeIn(text: string | undefined): string {
  return /`([A-Z2-9]{8})`/.exec(text ?? '')?.[1] ?? '';
}
