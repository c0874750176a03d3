// Suspending and destroying on an operator's word: through the ledger like everything else, and never what is in use.
import { HermesError } from '../base/errors.ts';
import type { Lease } from '../store/leases.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { SandboxLife } from './life.ts';
import type { SandboxWorld } from './world.ts';

/**
 * Throws SANDBOX_IN_USE, SANDBOX_GONE, USAGE_BAD_ARGUMENTS or UNAVAILABLE_BACKEND; it goes on as it was then. `life`: of
 * a gateway that has a connection to it.
 */
export async function suspendByHand(
  world: SandboxWorld,
  entry: LedgerEntry,
  life: SandboxLife = new SandboxLife(world),
): Promise<void> {
  const { id, state, backend } = entry;
  if (state === 'suspended') return;
  const reason = !world.facts[backend]?.capabilities.suspend
    ? `The backend ${backend} cannot suspend a sandbox.`
    : entry.whenIdle === 'destroy'
      ? `The sandbox ${id} was made to be thrown away (terminal.container_persistent): its files would be lost.`
      : undefined;
  if (reason !== undefined) {
    throw new HermesError('USAGE_BAD_ARGUMENTS', `${reason} Remove it with: hermes sandbox destroy ${id}`);
  }
  refuseIfUnderWay(world, entry);
  if (await life.suspend(entry)) return;
  throw await notDone(world, entry, 'suspended');
}

/** Throws SANDBOX_IN_USE, or UNAVAILABLE_BACKEND when it has to be tried again later. `life`: as above. */
export async function destroyByHand(
  world: SandboxWorld,
  entry: LedgerEntry,
  life: SandboxLife = new SandboxLife(world),
): Promise<void> {
  if (entry.state === 'gone') return;
  refuseIfUnderWay(world, entry);
  if (await life.remove(entry.id, entry)) return;
  throw await notDone(world, entry, 'removed');
}

/** Who uses it, in words. */
export function describeLease({ purpose, holder, takenAt }: Lease): string {
  const [role = holder] = holder.split('-');
  return `${purpose} (${role}) since ${new Date(takenAt).toISOString()}`;
}

/** What somebody holds is refused by the ledger itself. */
function refuseIfUnderWay({ clock }: SandboxWorld, { id, state, deadline }: LedgerEntry): void {
  const isUnderWay = state === 'creating' || state === 'suspending' || state === 'resuming';
  if (!isUnderWay || (deadline ?? 0) <= clock.now()) return;
  throw new HermesError('SANDBOX_IN_USE', `The sandbox ${id} is ${state}. Try again when that is over.`, {
    details: { id, state },
  });
}

async function notDone({ store }: SandboxWorld, { id }: LedgerEntry, what: string): Promise<HermesError> {
  const leases = await store.leases.list(id);
  if (leases.length > 0) return inUse(id, leases);
  const row = await store.ledger.find(id);
  if (!row || row.state === 'gone') {
    return new HermesError('SANDBOX_GONE', `The sandbox ${id} does not exist any more.`, { details: { id } });
  }
  const again =
    row.retryAt === null ? '' : ` It is tried again after ${new Date(row.retryAt).toISOString()}.`;
  const why = row.problem ?? `it is ${row.state}`;
  return new HermesError(
    'UNAVAILABLE_BACKEND',
    `The sandbox ${id} could not be ${what}: ${why}.${again} \`hermes doctor\` examines its backend.`,
    { details: { id, state: row.state } },
  );
}

function inUse(id: string, leases: readonly Lease[]): HermesError {
  const users = leases.map(describeLease);
  const message = `The sandbox ${id} is in use: ${users.join('; ')}. Try again when that has ended.`;
  return new HermesError('SANDBOX_IN_USE', message, { details: { id, leases } });
}
