// Changed settings: a new sandbox takes over the files and the session of the old one. Until it has both, the old one
// stays as it was, so that no failure and no crash in between costs a file (P4).
import { HermesError, isHermesError } from '../base/errors.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import type { Capacity } from './capacity.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { SandboxLife } from './life.ts';
import { LIMITS_MS } from './phase.ts';
import type { SandboxPolicy } from './policy.ts';
import { packWorkspace, unpackWorkspace } from './workspace.ts';
import type { SandboxWorld } from './world.ts';

const MADE_ANEW = 'The settings have changed: the sandbox was made anew, with the files of its workspace.';

export interface Remaking {
  readonly world: SandboxWorld;
  readonly life: SandboxLife;
  readonly leases: LeaseKeeper;
  readonly capacity: Capacity;
}

/** The one that the session has now, and what to tell it. Throws when no new one can be made; the old one stays then. */
export interface Remade {
  readonly entry: LedgerEntry;
  readonly notice?: string;
}

export async function remake(
  parts: Remaking,
  old: LedgerEntry,
  { policy, signal }: { readonly policy: SandboxPolicy; readonly signal?: AbortSignal },
): Promise<Remade> {
  const { life, leases } = parts;
  const from = life.handle(old.id);
  if (!from) return { entry: old };
  const packed = await packWorkspace(from);
  if (packed.kind === 'left') return stays(old, packed.why);
  const making = {
    policy,
    ...(old.sessionId === null ? {} : { sessionId: old.sessionId }),
    ...(signal ? { signal } : {}),
  };
  // It is given the place of the old one: for the moment of the move there is one more than are allowed.
  const made = await life.makeHeld(making, 'moving files');
  leases.adopt(made.lease);
  const moved = await moveIn(parts, old, { id: made.id, archive: packed.archive }).finally(() =>
    leases.release(made.lease),
  );
  await life.remove(moved.entry.id === made.id ? old.id : made.id);
  return moved;
}

async function moveIn(
  { world, life, capacity }: Remaking,
  old: LedgerEntry,
  { id, archive }: { readonly id: string; readonly archive: Uint8Array },
): Promise<Remade> {
  const { ledger } = world.store;
  const to = life.handle(id);
  const why = to ? await unpackWorkspace(to, archive) : 'the new one was lost';
  if (why !== undefined) return stays(old, why);
  const step = { deadline: world.clock.now() + LIMITS_MS.destroy, stepBy: world.holder };
  const entry = await ledger.replace(old, id, step);
  // Somebody has begun to use the old one: it is made anew another time.
  if (!entry) return { entry: old };
  capacity.pass(old.id, id);
  return { entry, notice: MADE_ANEW };
}

function stays(entry: LedgerEntry, why: string): Remade {
  const notice = `The settings have changed, but the files could not be moved: ${why}. The sandbox stays as it was.`;
  return { entry, notice };
}

/**
 * The files are on a backend that the settings have left and that does not answer. Only a human can decide that they are
 * not needed; everything else is the error as it was.
 */
export function leftBehind(entry: LedgerEntry, policy: SandboxPolicy, error: unknown): unknown {
  const { id, backend } = entry;
  if (backend === policy.backend.value || !isHermesError(error, 'UNAVAILABLE_BACKEND')) return error;
  const message = `The files of this session are in the sandbox ${id} on ${backend}, which cannot be reached, and the settings say ${policy.backend.value} now. Mend ${backend}, or give the files up with: hermes sandbox destroy ${id}. ${error.message}`;
  return new HermesError('UNAVAILABLE_BACKEND', message, { cause: error, details: { id, backend } });
}
