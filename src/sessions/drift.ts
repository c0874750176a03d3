// Changed settings: a new sandbox takes over the files and the session of the old one. Until it has both, the old one
// stays as it was, so that no failure and no crash in between costs a file (P4).
import { HermesError, isHermesError } from '../base/errors.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import type { Capacity } from './capacity.ts';
import { changeOf, reachesMore } from './change.ts';
import { leftBehindText, leftText, movedText, notMovedText } from './drift-words.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { SandboxLife } from './life.ts';
import { LIMITS_MS } from './phase.ts';
import type { SandboxPolicy } from './policy.ts';
import { packWorkspace, unpackWorkspace } from './workspace.ts';
import type { SandboxWorld } from './world.ts';

export interface Remaking {
  readonly world: SandboxWorld;
  readonly life: SandboxLife;
  readonly leases: LeaseKeeper;
  readonly capacity: Capacity;
}

/** The one that the session has now, and what to tell it. Throws when no new one can be made; the old one stays then. */
export interface Remade {
  /** Undefined: it has none any more, and one is to be made. */
  readonly entry: LedgerEntry | undefined;
  readonly notice?: string;
}

export async function remake(
  parts: Remaking,
  old: LedgerEntry,
  { policy, signal }: { readonly policy: SandboxPolicy; readonly signal?: AbortSignal },
): Promise<Remade> {
  const { life, leases } = parts;
  const change = changeOf(old, policy);
  if (change === 'refuse') throw notMoved(old, policy);
  if (change === 'leave') {
    await abandon(parts, old);
    return { entry: undefined, notice: leftText(old, policy) };
  }
  const from = life.handle(old.id);
  if (!from) return { entry: old };
  const packed = await packWorkspace(from);
  if (packed.kind === 'left') return stays(old, policy, packed.why);
  const making = {
    policy,
    ...(old.sessionId === null ? {} : { sessionId: old.sessionId }),
    ...(signal ? { signal } : {}),
  };
  // It is given the place of the old one: for the moment of the move there is one more than are allowed.
  const made = await life.makeHeld(making, 'moving files');
  leases.adopt(made.lease);
  let moved: Remade | undefined;
  try {
    moved = await moveIn(parts, old, { id: made.id, archive: packed.archive, policy });
    return moved;
  } finally {
    await leases.release(made.lease);
    await life.remove(moved?.entry?.id === made.id ? old.id : made.id);
  }
}

/** Throws SANDBOX_IN_USE when somebody else holds it. */
async function abandon({ life, capacity }: Remaking, old: LedgerEntry): Promise<void> {
  const isRemoved = await life.remove(old.id);
  const state = isRemoved ? 'gone' : (await life.find(old.id))?.state;
  if (state === 'gone' || state === 'destroying') return capacity.leave(old.id);
  throw new HermesError(
    'SANDBOX_IN_USE',
    `The sandbox ${old.id} on ${old.backend} is still in use, and the settings do not allow it any more. Stop what uses it, or: hermes sandbox destroy ${old.id}`,
  );
}

async function moveIn(
  { world, life, capacity }: Remaking,
  old: LedgerEntry,
  {
    id,
    archive,
    policy,
  }: { readonly id: string; readonly archive: Uint8Array; readonly policy: SandboxPolicy },
): Promise<Remade> {
  const { ledger } = world.store;
  const to = life.handle(id);
  const why = to ? await unpackWorkspace(to, archive) : 'the new one was lost';
  if (why !== undefined) return stays(old, policy, why);
  const step = { deadline: world.clock.now() + LIMITS_MS.destroy, stepBy: world.holder };
  const entry = await ledger.replace(old, id, step);
  // Somebody has begun to use the old one: it is rebuilt another time.
  if (!entry) return { entry: old };
  capacity.pass(old.id, id);
  return { entry, notice: movedText(old, policy) };
}

/** Throws when it reaches what the settings do not allow any more: then it is not used, and its files wait for a person. */
function stays(entry: LedgerEntry, policy: SandboxPolicy, why: string): Remade {
  if (reachesMore(entry, policy)) {
    throw new HermesError(
      'SANDBOX_IN_USE',
      `The sandbox ${entry.id} reaches more than the settings allow now, and its files could not be moved: ${why}. Take them out with \`hermes sandbox get\`, then give it up: hermes sandbox destroy ${entry.id}`,
      { details: { id: entry.id, why } },
    );
  }
  const notice = `The settings have changed, but the files could not be moved: ${why}. The sandbox stays as it was.`;
  return { entry, notice };
}

/** Nothing of a sandbox gets onto a machine by a change of the settings alone (P2). */
function notMoved(old: LedgerEntry, policy: SandboxPolicy): HermesError {
  const { id, backend } = old;
  const forChat = notMovedText(old, policy);
  const message = `${forChat} To take them out: \`hermes sandbox get ${id} PATH\`, then \`hermes sandbox destroy ${id}\`.`;
  return new HermesError('SANDBOX_IN_USE', message, { details: { id, backend, forChat } });
}

/**
 * The files are on a backend that the settings have left and that does not answer. Only a human can decide that they are
 * not needed; everything else is the error as it was.
 */
export function leftBehind(entry: LedgerEntry, policy: SandboxPolicy, error: unknown): unknown {
  const { id, backend } = entry;
  if (backend === policy.backend.value || !isHermesError(error, 'UNAVAILABLE_BACKEND')) return error;
  const forChat = leftBehindText(entry, policy);
  const message = `${forChat} Repair ${backend}, or give the files up: \`hermes sandbox destroy ${id}\`. ${error.message}`;
  return new HermesError('UNAVAILABLE_BACKEND', message, { cause: error, details: { id, backend, forChat } });
}
