// What somebody said, ordered or answered before a crash does nothing after it when they were removed meanwhile (P1).
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { writePrivateFile } from '../../../src/base/private-files.ts';
import { incomingBody } from '../../../src/gateway/incoming.ts';
import { sessionOf } from '../../../src/gateway/session-key.ts';
import type { NewIncomingMessage } from '../../../src/store/inbox.ts';
import type { Session } from '../../../src/store/sessions.ts';
import { within } from '../../wait.ts';
import { newHome } from '../sessions/world.ts';
import { answered, cancelled, done, type House, type HouseOptions } from './house.ts';
import type { MemoryPlatform } from './memory-platform.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();
const PERSON = '9';
const SENDER = { id: PERSON, name: 'Nora' };
const REF = { platform: 'telegram', userId: PERSON };
const CHAT = { id: PERSON, kind: 'private' } as const;

type Role = 'owner' | 'user';

interface Left {
  readonly session: Session;
  readonly approval?: string;
}

interface Scene {
  readonly role: Role;
  readonly first?: HouseOptions;
  readonly second?: HouseOptions;
  /** Leaves it as a crash does. */
  readonly leave: (house: House) => Promise<Left>;
  /** What the platform delivers after the start; absent = nothing. */
  readonly deliver?: (platform: MemoryPlatform) => Promise<void>;
  readonly hadEffect: (house: House, left: Left) => Promise<boolean>;
}

function allow(home: string, ...people: readonly string[]): Promise<void> {
  const listed = people.map(each => `"telegram:${each}"`).join(', ');
  return writePrivateFile(
    join(home, 'config.yaml'),
    `gateway:\n  busy: queue\n  allowed_users: [${listed}]\n`,
  );
}

const decide = ({ ground }: House, role: Role, standing: 'allowed' | 'denied') =>
  ground.world.store.people.decide({ ...REF, role, standing, decidedBy: 'cli' });

/** Users are on the allowlist of the configuration, owners are in the store. */
const REMOVALS: Readonly<Record<Role, Readonly<Record<string, (house: House) => Promise<unknown>>>>> = {
  user: {
    'was denied': house => decide(house, 'user', 'denied'),
    'is not on the allowlist any more': ({ home }) => allow(home, '2'),
  },
  owner: {
    'was denied': house => decide(house, 'owner', 'denied'),
    'was forgotten': ({ ground }) => ground.world.store.people.forget(REF),
    'became a user': house => decide(house, 'user', 'allowed'),
  },
};

function sessionIn({ ground }: House): Promise<Session> {
  const groups = 'session-per-person';
  return ground.world.store.sessions.enter(
    sessionOf({ platform: 'telegram', chat: CHAT, sender: SENDER, groups }),
  );
}

/** A row of the inbox that was taken by a run, or by a command, when the gateway died. */
async function leaveTaken(
  house: House,
  { role, text, ...rest }: { role: Role; text: string } & Pick<NewIncomingMessage, 'runId'>,
): Promise<Session> {
  const session = await sessionIn(house);
  const person = `telegram:${PERSON}`;
  const event = {
    ...({ kind: 'message', id: newId(), text, files: [], isAddressed: true } as const),
    ...{ chat: CHAT, sender: SENDER },
  };
  await house.ground.world.store.inbox.put({
    ...{ platform: 'telegram', chat: PERSON, messageId: event.id, sessionId: session.id, person, ...rest },
    body: incomingBody(event, { person, name: 'Nora', role }, text.startsWith('/') ? 'command' : 'message'),
  });
  return session;
}

const leaveCommand = (house: House, role: Role, text: string): Promise<Session> =>
  leaveTaken(house, { role, text, runId: `command-${newId()}` });

/** A question that outlives the crash: a process beside the gateway has asked, and holds its sandbox. */
async function leaveQuestion(house: House): Promise<Required<Left>> {
  const session = await sessionIn(house);
  const { store, clock, installation } = house.ground.world;
  const expiresAt = clock.now() + 600_000;
  const [sandboxId, runId] = [newId(), newId()];
  await store.ledger.enter({
    ...{ id: sandboxId, installation, sessionId: session.id, backend: 'bubblewrap', policy: {} },
    ...({ whenIdle: 'destroy', policyHash: '', deadline: expiresAt } as const),
  });
  await store.ledger.move(sandboxId, 'ready');
  const lease = { sandboxId, sessionId: session.id, holder: 'cli-beside', purpose: runId, expiresAt };
  await store.leases.take(lease);
  const asked = { sessionId: session.id, runId, requester: 'cli', command: 'reboot', findings: [] };
  const { id, nonce } = await store.approvals.ask({ ...asked, expiresAt });
  await house.gateway.showApproval({ ...asked, id, nonce, expiresAt });
  await house.gateway.drained();
  return { session, approval: id };
}

/** Whether anything was ever to be sent; it is written down together with the end of the message. */
const wasAnswered = async ({ ground }: House): Promise<boolean> =>
  (await ground.world.store.outbox.find(1)) !== undefined;
const isApproved = async ({ ground }: House, { approval = '' }: Left): Promise<boolean> =>
  (await ground.world.store.approvals.find(approval))?.state === 'approved';
const sessionNow = async ({ ground }: House, { session }: Left): Promise<Session | undefined> =>
  ground.world.store.sessions.find(session.id);

function waitingMessages(): Scene {
  const begun = Promise.withResolvers<void>();
  let ran = false;
  return {
    role: 'user',
    first: {
      async *script(turn) {
        begun.resolve();
        await cancelled(turn);
        yield done('canceled');
      },
    },
    second: {
      async *script({ text }) {
        ran = true;
        yield answered(text);
      },
    },
    async leave(house) {
      await house.platform.say(PERSON, 'one');
      await within(begun.promise, 'the run to begin');
      await house.platform.say(PERSON, '!two');
      return { session: await sessionIn(house) };
    },
    hadEffect: async () => ran,
  };
}

const CUT_OFF: HouseOptions = {
  agent: () => ({
    async *run(_, { text }) {
      yield answered(text);
    },
    recover: async () => [{ run: { id: 'run-1' }, next: 'report' as const, text: 'I was restarted.' }],
    usage: async () => Promise.reject(new Error('nobody asks')),
  }),
};

const SCENES: Readonly<Record<string, () => Scene>> = {
  'messages that waited, and one whose run had begun': waitingMessages,
  'a message whose run had started a tool': () => ({
    role: 'user',
    second: CUT_OFF,
    leave: async house => ({
      session: await leaveTaken(house, { role: 'user', text: 'work', runId: 'run-1' }),
    }),
    hadEffect: wasAnswered,
  }),
  'the command /new': () => ({
    role: 'user',
    leave: async house => ({ session: await leaveCommand(house, 'user', '/new') }),
    hadEffect: async (house, left) => (await sessionNow(house, left))?.endedAt !== null,
  }),
  'the command /network': () => ({
    role: 'owner',
    leave: async house => ({ session: await leaveCommand(house, 'owner', '/network open') }),
    hadEffect: async (house, left) => (await sessionNow(house, left))?.network === 'open',
  }),
  'an answer to an approval': () => ({
    role: 'owner',
    async leave(house) {
      const left = await leaveQuestion(house);
      await leaveCommand(house, 'owner', `/approve ${left.approval}`);
      return left;
    },
    hadEffect: isApproved,
  }),
  'a press of a button that is delivered after the start': () => ({
    role: 'owner',
    leave: leaveQuestion,
    deliver: platform => platform.press(PERSON, 'Once'),
    hadEffect: isApproved,
  }),
};

/** One life leaves something behind, somebody is removed or not, and the next life deals with it. */
async function live({ role, first = {}, second = {}, leave, deliver, hadEffect }: Scene, removal?: string) {
  const home = await newHome();
  await allow(home, '2', ...(role === 'user' ? [PERSON] : []));
  const before = await houses.open({ home, ...first });
  if (role === 'owner') {
    await decide(before, 'owner', 'allowed');
    await before.ground.world.store.people.see(REF, { chat: PERSON });
  }
  const left = await leave(before);
  if (removal !== undefined) await REMOVALS[role][removal]?.(before);
  await before.crash();
  const after = await houses.open({ home, platform: before.platform, ...second });
  await deliver?.(after.platform);
  const { inbox } = after.ground.world.store;
  await expect.poll(async () => [...(await inbox.unfinished()), ...(await inbox.waiting())]).toEqual([]);
  return hadEffect(after, left);
}

describe.each(Object.keys(SCENES))('after a crash, %s', name => {
  const scene = (): Scene => (SCENES[name] as () => Scene)(); // its own key
  const { role } = scene();

  it('counts when its sender may still speak', async () => {
    expect(await live(scene())).toBe(true);
  });

  it.each(Object.keys(REMOVALS[role]))('P1: does nothing when its sender %s', async removal => {
    expect(await live(scene(), removal)).toBe(false);
  });
});
