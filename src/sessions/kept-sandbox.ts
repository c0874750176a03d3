// A sandbox that `hermes run` keeps: a session of its own, so that the ledger, the sweeper and everybody who looks at sandboxes
// know it like any other. It is held while a command runs, suspended afterwards, and removed when its time is over.
import { HermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import type { Session } from '../store/sessions.ts';
import { chooseAuto } from './auto.ts';
import { decide, decidedPolicy } from './decide.ts';
import { isKeptByHand, keyOfKept } from './kept-by-hand.ts';
import type { SandboxLease } from './lease.ts';
import { overAt } from './overdue.ts';
import { SessionSandboxes } from './session-sandboxes.ts';
import type { SandboxWorld } from './world.ts';

export interface KeptSandbox {
  readonly lease: SandboxLease;
  /** Gives it back, suspended where its backend can; when it is over, or undefined where it is gone already. */
  close(): Promise<{ readonly id: string; readonly overAt: number | undefined } | undefined>;
}

export interface KeptOptions {
  /** One that exists; absent = a new one. */
  readonly entry?: LedgerEntry;
  readonly purpose: string;
  readonly signal: AbortSignal;
}

/** Throws USAGE_BAD_ARGUMENTS where nothing can be kept, and what stands in the way of a sandbox. */
export async function openKeptSandbox(
  world: SandboxWorld,
  { entry, purpose, signal }: KeptOptions,
): Promise<KeptSandbox> {
  const session = entry ? await sessionOf(world, entry) : await newSession(world, signal);
  const sandboxes = new SessionSandboxes(world, { most: 2, warm: 0 });
  try {
    const lease = await sandboxes.lease(session, { purpose, actor: 'cli', signal });
    return {
      lease,
      async close() {
        try {
          await lease.release();
          const used = await world.store.ledger.findLive(session.id);
          if (used?.whenIdle === 'suspend') await sandboxes.retire(used);
          const left = await world.store.ledger.findLive(session.id);
          return left && { id: left.id, overAt: overAt(left) };
        } finally {
          await sandboxes.close();
        }
      },
    };
  } catch (error) {
    await sandboxes.close();
    throw error;
  }
}

async function newSession(world: SandboxWorld, signal: AbortSignal): Promise<Session> {
  const traits = { kind: 'cli' } as const;
  if ((await decide(world, traits)).kind === 'undecided') await chooseAuto(world, signal);
  const { backend, persistent } = await decidedPolicy(world, traits);
  const capabilities = world.facts[backend.value]?.capabilities;
  const outlives = persistent.value || capabilities?.survivesGateway;
  if (!capabilities?.suspend || !outlives) {
    throw new HermesError(
      'USAGE_BAD_ARGUMENTS',
      `There is nothing to keep on ${backend.value}${persistent.value ? '' : ` (${persistent.origin})`}: its files do not depend on a sandbox, or end with it. Choose another backend with --backend, or leave out --keep.`,
    );
  }
  const id = newId();
  return world.store.sessions.enter({
    key: keyOfKept(id),
    ...traits,
    platform: 'cli',
    chat: id,
    person: 'cli',
  });
}

async function sessionOf({ store }: SandboxWorld, { id, sessionId, state }: LedgerEntry): Promise<Session> {
  const session = sessionId === null ? undefined : await store.sessions.find(sessionId);
  if (session && isKeptByHand(session) && state !== 'gone') return session;
  const why = state === 'gone' ? 'is gone' : 'belongs to a conversation, or to a command that is running';
  throw new HermesError(
    'USAGE_BAD_ARGUMENTS',
    `The sandbox ${id} ${why}; --in takes one that \`hermes run --keep\` has kept. \`hermes sandbox list\` shows them.`,
  );
}
