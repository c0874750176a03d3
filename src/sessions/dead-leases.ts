// Leases that nobody holds any more. A living gateway may have been kept from renewing its own, such as by a machine that
// was asleep: that it lives counts, not the time (P5).
import type { LeaseKeeper } from './lease-keeper.ts';
import type { SandboxWorld } from './world.ts';

/** For a process beside the gateway, or without one. */
export async function dropDeadLeases(
  { store }: Pick<SandboxWorld, 'store'>,
  gateway: 'running' | 'none',
): Promise<void> {
  await store.leases.dropExpired(({ holder }) => gateway === 'running' && holder.startsWith('gateway-'));
}

/** For whoever alone has the session: what runs of it hold that are another life's is held by nobody any more. */
export async function dropLeasesOfRuns(
  { store, holder }: Pick<SandboxWorld, 'store' | 'holder'>,
  sessionId: string,
): Promise<void> {
  const entry = await store.ledger.findLive(sessionId);
  for (const lease of entry ? await store.leases.list(entry.id) : []) {
    // A command of the operator, such as a copy of files, is no run, and may go on.
    const run = lease.holder === holder ? undefined : await store.runs.find(lease.purpose);
    if (run?.sessionId === sessionId) await store.leases.release(lease.id);
  }
}

/**
 * For the gateway itself. It alone serves the installation, so that leases of other lives are those of dead ones when it
 * starts; those of commands run out by themselves.
 */
export async function dropOtherLeases(
  { store, holder }: Pick<SandboxWorld, 'store' | 'holder'>,
  own: LeaseKeeper,
  which: 'earlier lives' | 'expired',
): Promise<void> {
  await own.renew();
  if (which === 'earlier lives') {
    const holders = new Set((await store.leases.list()).map(lease => lease.holder));
    holders.delete(holder);
    for (const dead of holders) if (dead.startsWith('gateway-')) await store.leases.dropOf(dead);
  }
  await store.leases.dropExpired(lease => own.holds(lease));
}
